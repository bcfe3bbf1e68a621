import { join } from 'node:path';
import { createTransformersEmbedder } from '../../src/engines/transformers/embedder.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { mean, ndcgAt10, readTopics } from './judged.ts';
import type { Topic } from './judged.ts';

/**
 * Measures embedding models on judged questions: `node bench/embedding/run.ts [MODEL…]`, a MODEL being `builtin`
 * (the default) or a folder. Prints nDCG@10 by cosine alone, on the half used for tuning and on the half kept apart.
 */
const SETS = ['subjects.txt', 'patterns.txt'];
const models = process.argv.length > 2 ? process.argv.slice(2) : ['builtin'];

for (const model of models) {
  const modelsDir = join(import.meta.dirname, '../../models');
  const embedder = await createTransformersEmbedder({ model, modelsDir });
  for (const file of SETS) {
    const scores = await scoreTopics(embedder, await readTopics(file));
    const half = (odd: number): string =>
      mean(scores.filter((_, index) => index % 2 === odd).flatMap(({ ndcg }) => ndcg)).toFixed(3);
    console.log(`${embedder.modelId}  ${file}  tune ${half(0)}  report ${half(1)}`);
    if (process.env['WORST']) {
      for (const { name, ndcg } of scores)
        if (mean(ndcg) < 0.5) console.log(`   ${name}: ${ndcg.map((n) => n.toFixed(2)).join(' ')}`);
    }
  }
  console.log(`${embedder.modelId}  ${(await queryMilliseconds(embedder)).toFixed(2)} ms a query`);
  await embedder.close();
}

async function scoreTopics(
  embedder: Embedder,
  topics: readonly Topic[],
): Promise<{ name: string; ndcg: number[] }[]> {
  const screens = topics.flatMap((topic) => topic.screens.map((text) => ({ topic, text })));
  const passages = await embedder.embed(
    screens.map(({ text }) => text),
    'passage',
  );
  const results: { name: string; ndcg: number[] }[] = [];
  for (const topic of topics) {
    const queries = await embedder.embed(topic.asks, 'query');
    const ndcg = queries.map((query) => {
      const ranked = screens
        .map((screen, index) => ({ screen, score: cosine(query, passages[index]!) }))
        .toSorted((a, b) => b.score - a.score);
      return ndcgAt10(
        ranked.map(({ screen, score }) => score > -1 && screen.topic === topic),
        topic.screens.length,
      );
    });
    results.push({ name: topic.name, ndcg });
  }
  return results;
}

async function queryMilliseconds(embedder: Embedder): Promise<number> {
  const query = ['screens where people choose how to pay for the order'];
  const rounds = 200;
  for (let round = 0; round < 20; round += 1) await embedder.embed(query, 'query');
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) await embedder.embed(query, 'query');
  return (performance.now() - start) / rounds;
}

/** -1 where one of them has no vector: it is then found last, and not counted. */
function cosine(left: Float32Array | null, right: Float32Array | null): number {
  if (!left || !right) return -1;
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}
