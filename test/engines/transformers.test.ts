import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeEmbeddingModel } from '../../scripts/train/onnx.ts';
import { quantise } from '../../scripts/train/quantise.ts';
import { tokenizerFiles } from '../../scripts/train/tokenizer.ts';
import { createTransformersEmbedder } from '../../src/engines/transformers/embedder.ts';
import { cosine, embedderContract } from '../contract/embedder.ts';

const MODELS = join(import.meta.dirname, '../../models');

embedderContract('built-in', () => createTransformersEmbedder({ model: 'builtin', modelsDir: MODELS }));

/** Each word of the tiny model has an axis of its own, so that pooling and prompts can be read off a vector. */
const AXES = ['ask', 'store', 'red', 'green'];

let root: string;
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'embedder-'))));
afterAll(() => rm(root, { recursive: true }));

async function tinyModel(name: string, extra: Record<string, unknown> = {}): Promise<string> {
  const folder = join(root, name);
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', ...AXES];
  const data = new Float32Array(vocabulary.length * AXES.length);
  AXES.forEach((_, axis) => (data[(axis + 3) * AXES.length + axis] = 1));
  const files: Record<string, string | Uint8Array> = {
    ...tokenizerFiles(vocabulary, AXES.length),
    'onnx/model.onnx': encodeEmbeddingModel({
      ...quantise({ rows: vocabulary.length, columns: AXES.length, data }),
      rowOfToken: Int32Array.from(vocabulary.keys()),
    }),
  };
  for (const [file, content] of Object.entries(extra)) files[file] = JSON.stringify(content);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}

const open = (model: string) => createTransformersEmbedder({ model, modelsDir: root });
const PROMPTS = { 'config_sentence_transformers.json': { prompts: { query: 'ask ', document: 'store ' } } };
const pooling = (mode: string) => ({ '1_Pooling/config.json': { [mode]: true } });

describe('a sentence model in a folder', () => {
  test('puts its own prompts before queries and passages', async () => {
    const embedder = await open(await tinyModel('prompts', PROMPTS));
    const [query] = await embedder.embed(['red'], 'query');
    const [passage] = await embedder.embed(['red'], 'passage');
    expect([...query!].map((value) => value > 0)).toEqual([true, false, true, false]);
    expect([...passage!].map((value) => value > 0)).toEqual([false, true, true, false]);
    await embedder.close();
  });

  test('falls back to its default prompt for both kinds', async () => {
    const config = { prompts: { any: 'store ' }, default_prompt_name: 'any' };
    const embedder = await open(await tinyModel('default', { 'config_sentence_transformers.json': config }));
    const [[query], [passage]] = [
      await embedder.embed(['red'], 'query'),
      await embedder.embed(['red'], 'passage'),
    ];
    expect(query![1]).toBeGreaterThan(0);
    expect(query).toEqual(passage);
    await embedder.close();
  });

  test.each([
    ['pooling_mode_mean_tokens', [false, false, true, true]],
    ['pooling_mode_max_tokens', [false, false, true, true]],
    ['pooling_mode_lasttoken', [false, false, false, true]],
  ])('pools as %s says', async (mode, axes) => {
    const embedder = await open(await tinyModel(mode, pooling(mode)));
    const [vector] = await embedder.embed(['red green'], 'query');
    expect([...vector!].map((value) => value > 0)).toEqual(axes);
    await embedder.close();
  });

  test('pools the first token where it says cls, which in this model means nothing', async () => {
    const embedder = await open(await tinyModel('cls', pooling('pooling_mode_cls_token')));
    expect(await embedder.embed(['red green'], 'query')).toEqual([null]);
    await embedder.close();
  });

  test('cuts texts at its maximum length', async () => {
    const embedder = await open(
      await tinyModel('short', { 'sentence_bert_config.json': { max_seq_length: 2 } }),
    );
    const [vector] = await embedder.embed(['red green'], 'query');
    expect([...vector!].map((value) => value > 0)).toEqual([false, false, true, false]);
    await embedder.close();
  });

  test('has an id that changes with weights and recipe, and names the folder', async () => {
    const ids = new Set<string>();
    for (const [name, extra] of [
      ['a/tiny', {}],
      ['b/tiny', PROMPTS],
    ] as const) {
      const embedder = await open(await tinyModel(name, extra));
      expect(embedder.modelId).toMatch(/^tiny@[0-9a-f]{12}$/);
      ids.add(embedder.modelId);
      await embedder.close();
    }
    expect(ids.size).toBe(2);
  });

  test.each([
    [
      'an unknown pooling',
      { '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true } },
      'pooling',
    ],
    [
      'two poolings',
      { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
      'pooling',
    ],
    ['a further module', { 'modules.json': [{ type: 'sentence_transformers.models.Dense' }] }, 'Dense'],
    ['a malformed file', { '1_Pooling/config.json': { pooling_mode_cls_token: 'yes' } }, 'malformed'],
  ])('is refused when it has %s', async (name, extra, message) => {
    await expect(open(await tinyModel(name, extra))).rejects.toThrow(message);
  });

  test('is refused when files are missing, naming them', async () => {
    const folder = await tinyModel('gaps');
    await rm(join(folder, 'onnx/model.onnx'));
    await expect(open(folder)).rejects.toThrow('onnx/model.onnx');
    await rm(join(folder, 'tokenizer.json'));
    await expect(open(folder)).rejects.toThrow('tokenizer.json');
  });
});

test('a name that is neither folder nor hub id is refused, saying what would be right', async () => {
  await expect(open('/no/such/folder')).rejects.toThrow('Give "builtin", a folder, or a hub id');
  await expect(createTransformersEmbedder({ model: 'builtin', modelsDir: root })).rejects.toThrow(
    'config.json',
  );
});

describe('a hub id', () => {
  const host = env.remoteHost;
  const asked: string[] = [];
  const hub = createServer((request, response) => {
    const [, model, file] = /^\/(acme\/tiny)\/resolve\/main\/(.+)$/.exec(request.url ?? '') ?? [];
    asked.push(request.url ?? '');
    readFile(join(root, model ?? 'absent', file ?? '')).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
    env.remoteHost = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    env.remoteHost = host;
    await new Promise((resolve) => hub.close(resolve));
  });

  test('is downloaded once with its recipe, then loaded from disk', async () => {
    await tinyModel('acme/tiny', PROMPTS);
    const modelsDir = join(root, 'downloads');
    const first = await createTransformersEmbedder({ model: 'acme/tiny', modelsDir });
    const [query] = await first.embed(['red'], 'query');
    expect(query![0]).toBeGreaterThan(0);
    await first.close();

    asked.length = 0;
    const second = await createTransformersEmbedder({ model: 'acme/tiny', modelsDir });
    expect(second.modelId).toBe(first.modelId);
    expect(cosine((await second.embed(['red'], 'query'))[0], query)).toBeCloseTo(1, 5);
    expect(asked).toEqual([]);
    await second.close();
  });

  test('that does not exist is an error', async () => {
    await expect(open('acme/absent')).rejects.toThrow();
  });
});
