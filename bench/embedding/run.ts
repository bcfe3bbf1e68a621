import { join } from 'node:path';
import { createTransformersEmbedder } from '../../src/engines/transformers/embedder.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { mean, misspelled, ndcgAt10, readSample, readTopics } from './judged.ts';
import type { Topic } from './judged.ts';

/**
 * Measures embedding models on judged questions: `npm run bench:model -- [--worst] [MODEL…]`, a MODEL being
 * `builtin` (the default) or a folder. Prints nDCG@10 by cosine alone, on the half used for tuning and on the half kept
 * apart; with --worst also the topics for tuning that went badly.
 */
const worst = process.argv.includes('--worst');
const models = process.argv.slice(2).filter((argument) => argument !== '--worst');
const subjects = await readTopics('subjects.txt');
const patterns = await readTopics('patterns.txt');
const sets = {
  subjects: { topics: subjects, screens: subjects.flatMap((topic) => topic.screens) },
  patterns: { topics: patterns, screens: patterns.flatMap((topic) => topic.screens) },
  'patterns, misspelled': {
    topics: misspelled(patterns),
    screens: patterns.flatMap((topic) => topic.screens),
  },
  'sample screens': await readSample(),
};

for (const model of models.length > 0 ? models : ['builtin']) {
  const embedder = await createTransformersEmbedder({
    model,
    modelsDir: join(import.meta.dirname, '../../models'),
  });
  for (const [name, { topics, screens }] of Object.entries(sets)) {
    const scores = await scoreTopics(embedder, topics, screens);
    const half = (odd: number): string =>
      mean(scores.filter((_, index) => index % 2 === odd).flat()).toFixed(3);
    console.log(`${embedder.modelId}  ${name}: tune ${half(0)}, report ${half(1)}`);
    scores.forEach((ndcg, index) => {
      if (worst && index % 2 === 0 && mean(ndcg) < 0.6) {
        console.log(`    ${topics[index]!.name}: ${ndcg.map((value) => value.toFixed(2)).join(' ')}`);
      }
    });
  }
  console.log(`${embedder.modelId}  ${(await queryMilliseconds(embedder)).toFixed(2)} ms a query`);
  await embedder.close();
}

/** nDCG@10 of every question, by topic. */
async function scoreTopics(
  embedder: Embedder,
  topics: readonly Topic[],
  screens: readonly string[],
): Promise<number[][]> {
  const passages = await embedder.embed(screens, 'passage');
  const scores: number[][] = [];
  for (const topic of topics) {
    const wanted = new Set(topic.screens);
    const queries = await embedder.embed(topic.asks, 'query');
    scores.push(
      queries.map((query) => {
        const ranked = screens
          .map((text, index) => ({ text, score: cosine(query, passages[index]!) }))
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score);
        return ndcgAt10(
          ranked.map(({ text }) => wanted.has(text)),
          wanted.size,
        );
      }),
    );
  }
  return scores;
}

async function queryMilliseconds(embedder: Embedder): Promise<number> {
  const query = ['screens where people choose how to pay for the order'];
  const rounds = 200;
  for (let round = 0; round < 20; round += 1) await embedder.embed(query, 'query');
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) await embedder.embed(query, 'query');
  return (performance.now() - start) / rounds;
}

/** 0 where one of them has no vector. */
function cosine(left: Float32Array | null, right: Float32Array | null): number {
  if (!left || !right) return 0;
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}
