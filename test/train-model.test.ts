import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoTokenizer } from '@huggingface/transformers';
import { describe, expect, test } from 'vitest';
import { createTransformersEmbedder } from '../src/engines/transformers/embedder.ts';
import { cosine } from './contract/embedder.ts';
import { parseGlossary, readGlossary } from '../scripts/train/glossary.ts';
import { trainModel } from '../scripts/train/train.ts';
import { readWordnet } from '../scripts/train/wordnet.ts';
import type { Sense } from '../scripts/train/wordnet.ts';
import { wordsOf } from '../scripts/train/words.ts';

const MODELS = join(import.meta.dirname, '../models');

describe('training', () => {
  const glossary =
    'cart\n  also: basket; bag\n  copy: Checkout; Your bag is empty\nlog in\n  also: sign in\n  copy: Password\n';
  const entries = parseGlossary(glossary, 'small.txt');
  const sense = (id: string, words: string[], definition: string, target: string): Sense => ({
    id,
    words,
    definition,
    examples: [],
    domain: 6,
    uses: 1,
    relations: [{ kind: '@', target }],
  });
  const senses = [
    sense('n1', ['basket', 'handbasket'], 'a container that is usually woven and has handles', 'n2'),
    sense('n2', ['container'], 'any object that can be used to hold things', 'n1'),
  ];

  test('gives the same bytes again', () => {
    const [first, again] = [trainModel({ entries, senses }), trainModel({ entries, senses })];
    expect(Object.keys(first)).toEqual([
      'onnx/model.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
      'config.json',
    ]);
    for (const [name, bytes] of Object.entries(first))
      expect(Buffer.from(bytes).equals(again[name]!), name).toBe(true);
  });

  test('reads WordNet: words, definition, examples, relations', async () => {
    const all = await readWordnet();
    const chess = all.find(({ words, domain }) => words.includes('checkmate') && domain === 4);
    expect(chess?.definition).toContain('king');
    expect(chess?.relations.some(({ kind }) => kind === '@')).toBe(true);
    const ids = new Set(all.map(({ id }) => id));
    expect(all.every(({ relations }) => relations.every(({ target }) => ids.has(target)))).toBe(true);
  });
});

test('a folder without a glossary, and a name used twice, are refused', async () => {
  await expect(readGlossary(join(MODELS, 'builtin'))).rejects.toThrow('holds no .txt file');
  const folder = await mkdtemp(join(tmpdir(), 'glossary-'));
  for (const file of ['a.txt', 'b.txt']) await writeFile(join(folder, file), 'cart\n  also: trolley\n');
  await expect(readGlossary(folder)).rejects.toThrow('b.txt: the entry "cart" exists already');
  await rm(folder, { recursive: true });
});

test('a glossary line out of the format is named with its place', () => {
  expect(() => parseGlossary('cart\n  alos: basket\n', 'shop.txt')).toThrow('shop.txt:2');
  expect(() => parseGlossary('  also: basket\n', 'shop.txt')).toThrow('shop.txt:1');
});

test('the glossary that ships is in the format', async () => {
  expect((await readGlossary(join(MODELS, 'glossary'))).length).toBeGreaterThan(400);
});

test('the tokenizer cuts words as training did', async () => {
  const tokenizer = await AutoTokenizer.from_pretrained(join(MODELS, 'builtin'), { local_files_only: true });
  const text = 'Sign-up: ÉCRAN d’accueil, $9.99/month… 日本 "dark mode" naïve_case €5 100% Done!';
  const known = new Set(wordsOf(text));
  const pieces = tokenizer.tokenize(text).filter((piece) => piece !== '[UNK]' && !piece.startsWith('##'));
  for (const piece of pieces)
    expect(
      [...known].some((word) => word.startsWith(piece)),
      piece,
    ).toBe(true);
  for (const word of ['signup', 'month', 'dark', 'mode', 'done', '$']) expect(pieces).toContain(word);
});

describe('the model that ships', () => {
  test('is under 12 MB with its tokenizer', async () => {
    const files = ['onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json', 'config.json'];
    const sizes = await Promise.all(files.map((file) => stat(join(MODELS, 'builtin', file))));
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(12e6);
  });

  test('knows phrases however they are written, slips, forms never seen, and the world beyond the glossary', async () => {
    const embedder = await createTransformersEmbedder({ model: 'builtin', modelsDir: MODELS });
    const alike = async (one: string, other: string): Promise<number> => {
      const [left, right] = await embedder.embed([one, other], 'query');
      return cosine(left, right);
    };
    expect(await alike('sign up', 'sign-up')).toBeCloseTo(1, 5);
    expect(await alike('sign up', 'signup')).toBeCloseTo(1, 5);
    expect(await alike('notificaton', 'notifications')).toBeCloseTo(1, 5);
    const unrelated = await alike('a wizard with several steps', 'honey and hives');
    for (const [one, other] of [
      ['unsubscribe', 'cancel membership'],
      ['typing a password', 'log in'],
      ['bees', 'honey'],
      ['telescope', 'astronomy'],
    ] as const) {
      expect(await alike(one, other), one).toBeGreaterThan(unrelated + 0.2);
    }
    await embedder.close();
  });
});
