import type { Context } from './cooccurrence.ts';
import { positiveMutualInformation } from './cooccurrence.ts';
import { readGlossary } from './glossary.ts';
import type { Entry } from './glossary.ts';
import { leadingEigenpairs } from './linear-algebra.ts';
import type { Matrix } from './linear-algebra.ts';
import { encodeEmbeddingModel } from './onnx.ts';
import { ENDINGS, SPECIAL_TOKENS, tokenizerFiles } from './tokenizer.ts';
import { stemOf, wordsOf } from './words.ts';

const DIMS = 128;
const SUBSPACE_ITERATIONS = 6;
const SEED = 20_251;
/** What a line gives its words, against what the whole entry gives: near words mean more than far ones. */
const LINE_WEIGHT = 1;
const ENTRY_WEIGHT = 0.5;

/** Trains the built-in model; returns its files by path. The same glossary gives the same bytes. */
export async function trainModel(glossaryFolder: string): Promise<Record<string, Uint8Array>> {
  const entries = await readGlossary(glossaryFolder);
  const { words, stems } = collectVocabulary(entries);
  const { contexts, spread } = collectContexts(entries, stems);
  const vectors = meaningVectors(contexts, stems.size);
  weighByRarity(vectors, spread, entries.length);

  const { vocabulary, rowOfToken } = collectTokens(words, stems);
  const onnx = encodeEmbeddingModel({ dims: vectors.columns, rowOfToken, ...quantise(vectors) });
  const files = tokenizerFiles(vocabulary, vectors.columns);
  return {
    'onnx/model.onnx': onnx,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  };
}

function textsOf(entry: Entry): string[] {
  return [...entry.also, ...entry.ask, ...entry.copy, ...entry.parts, ...entry.near];
}

/** Every word of the glossary, and a number for every stem, both in order of appearance. */
function collectVocabulary(entries: readonly Entry[]): { words: Set<string>; stems: Map<string, number> } {
  const words = new Set<string>();
  const stems = new Map<string, number>();
  for (const entry of entries) {
    for (const word of [entry.name, ...textsOf(entry)].flatMap(wordsOf)) {
      words.add(word);
      if (!stems.has(stemOf(word))) stems.set(stemOf(word), stems.size);
    }
  }
  return { words, stems };
}

/** The contexts to learn from, and in how many entries each stem stands. */
function collectContexts(
  entries: readonly Entry[],
  stems: ReadonlyMap<string, number>,
): { contexts: Context[]; spread: Int32Array } {
  const contexts: Context[] = [];
  const spread = new Int32Array(stems.size);
  const idsOf = (texts: readonly string[]): Int32Array =>
    Int32Array.from(new Set(texts.flatMap(wordsOf).map((word) => stems.get(stemOf(word))!)));
  for (const entry of entries) {
    const texts = textsOf(entry);
    for (const text of texts) contexts.push({ words: idsOf([entry.name, text]), weight: LINE_WEIGHT });
    const whole = idsOf([entry.name, ...texts]);
    contexts.push({ words: whole, weight: ENTRY_WEIGHT * texts.length });
    for (const id of whole) spread[id]! += 1;
  }
  return { contexts, spread };
}

/** One row a stem: eigenvectors of the mutual information, each scaled by the root of its eigenvalue, rows unit length. */
function meaningVectors(contexts: readonly Context[], size: number): Matrix {
  const matrix = positiveMutualInformation(contexts, size);
  const { values, vectors } = leadingEigenpairs(matrix, DIMS, SUBSPACE_ITERATIONS, SEED);
  const { rows, columns, data } = vectors;
  for (let row = 0; row < rows; row += 1) {
    let squares = 0;
    for (let k = 0; k < columns; k += 1) {
      data[row * columns + k]! *= Math.sqrt(Math.abs(values[k]!));
      squares += data[row * columns + k]! ** 2;
    }
    const norm = Math.sqrt(squares) || 1;
    for (let k = 0; k < columns; k += 1) data[row * columns + k]! /= norm;
  }
  return vectors;
}

/** A word that stands everywhere says little: rows are scaled so that a plain mean of them weighs by rarity. */
function weighByRarity(vectors: Matrix, spread: Int32Array, entries: number): void {
  for (let row = 0; row < vectors.rows; row += 1) {
    const rarity = Math.log(1 + entries / spread[row]!) / Math.log(1 + entries);
    for (let k = 0; k < vectors.columns; k += 1) vectors.data[row * vectors.columns + k]! *= rarity ** 2;
  }
}

/** Tokens by id: special tokens and endings without meaning, then words, then stems that are no words themselves. */
function collectTokens(
  words: ReadonlySet<string>,
  stems: ReadonlyMap<string, number>,
): { vocabulary: string[]; rowOfToken: Int32Array } {
  const silent = [...SPECIAL_TOKENS, ...ENDINGS.map((ending) => `##${ending}`)];
  const spoken = [...words, ...[...stems.keys()].filter((stem) => !words.has(stem) && stem.length > 3)];
  const rowOfToken = Int32Array.from([
    ...silent.map(() => stems.size),
    ...spoken.map((token) => stems.get(words.has(token) ? stemOf(token) : token)!),
  ]);
  return { vocabulary: [...silent, ...spoken], rowOfToken };
}

/** Each row to eight bits with its own scale; one more row of zeros at the end stands for what has no meaning. */
function quantise({ rows, columns, data }: Matrix): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array((rows + 1) * columns);
  const scales = new Float32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) {
    let largest = 0;
    for (let k = 0; k < columns; k += 1) largest = Math.max(largest, Math.abs(data[row * columns + k]!));
    if (largest === 0) continue;
    scales[row] = largest / 127;
    for (let k = 0; k < columns; k += 1) {
      values[row * columns + k] = Math.round((data[row * columns + k]! / largest) * 127);
    }
  }
  return { values, scales };
}
