import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoTokenizer } from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseGlossary, readGlossary } from '../scripts/train/glossary.ts';
import { trainModel } from '../scripts/train/train.ts';
import { wordsOf } from '../scripts/train/words.ts';

const MODELS = join(import.meta.dirname, '../models');

describe('training', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glossary-'));
    await writeFile(
      join(folder, 'small.txt'),
      'cart\n  also: basket; bag\n  copy: Checkout; Your bag is empty\n',
    );
    await writeFile(
      join(folder, 'other.txt'),
      '# a comment\nlog in\n  also: sign in\n  copy: Password; Forgot password?\n',
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('gives the same bytes again', async () => {
    const [first, again] = [await trainModel(folder), await trainModel(folder)];
    expect(Object.keys(first)).toEqual([
      'onnx/model.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
      'config.json',
    ]);
    for (const [name, bytes] of Object.entries(first))
      expect(Buffer.from(bytes).equals(again[name]!), name).toBe(true);
  });

  test('refuses a folder without a glossary, and a name used twice', async () => {
    await expect(trainModel(MODELS)).rejects.toThrow('holds no .txt file');
    await writeFile(join(folder, 'twice.txt'), 'cart\n  also: trolley\n');
    await expect(readGlossary(folder)).rejects.toThrow('"cart" exists already');
  });
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
  for (const word of ['sign', 'month', 'dark', 'mode', 'done', '$']) expect(pieces).toContain(word);
});
