import { expect, test } from 'vitest';
import type { FlowRecord } from '../../src/domain/screen.ts';
import { composeFlowPassage, composePassage, embedPassages } from '../../src/library/passage.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { screenRecord } from '../support/screen-record.ts';

const flow: FlowRecord = {
  id: 'f',
  appId: 'acme',
  type: 'password-reset',
  name: 'Back in',
  description: 'A mail leads to a new password.',
  screenIds: ['s'],
  capturedAt: '2026-01-01T00:00:00Z',
};
const record = { ...screenRecord('s'), pattern: ['forgot-password', 'form'], platform: 'IOS' as const };

const textsOf = (...args: Parameters<typeof composePassage>) =>
  composePassage(...args).map(({ text }) => text);

test('a screen is told by its kind, its journeys, what happens in them, and what it says', () => {
  expect(textsOf({ ...record, ocrText: 'Send the link' }, [flow])).toEqual([
    'forgot password, form, iPhone phone app',
    'password reset: Back in',
    'A mail leads to a new password.',
    'Send the link',
  ]);
});

test('a flow is told by its name, what happens in it, and the kinds of its steps', () => {
  const patterns = new Map([
    ['s', ['forgot-password', 'form']],
    ['t', ['form', 'success']],
  ]);
  const parts = composeFlowPassage({ ...flow, screenIds: ['s', 'gone', 't'] }, patterns);
  expect(parts.map(({ text }) => text)).toEqual([
    'password reset: Back in',
    'A mail leads to a new password.',
    'forgot password, form, success',
  ]);
});

test('a caption goes before recognised text, and endless text is cut', () => {
  const read = { ...record, ocrText: 'x'.repeat(100_000) };
  expect(textsOf(read, []).at(-1)).toHaveLength(2000);
  expect(textsOf({ ...read, caption: 'By hand' }, []).at(-1)).toBe('By hand');
});

/** Knows two words, each on an axis of its own, and what is the opposite of red. */
const VECTORS: Record<string, Float32Array> = {
  red: Float32Array.of(1, 0),
  green: Float32Array.of(0, 1),
  unred: Float32Array.of(-1, 0),
};
const embedder: Embedder = {
  modelId: 'three words',
  dims: 2,
  embed: async (texts) => texts.map((text) => VECTORS[text] ?? null),
  close: async () => {},
};
const part = (text: string, weight = 1) => ({ text, weight });

test('parts count by weight, and those that mean nothing not at all', async () => {
  const [both, weighted, one, none] = await embedPassages(embedder, [
    [part('red'), part(''), part('green')],
    [part('red', 3), part('green', 4)],
    [part('?', 9), part('red')],
    [part(''), part('?')],
  ]);
  expect([...both!]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)]);
  expect([...weighted!]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  expect([...one!]).toEqual([1, 0]);
  expect(none).toBeNull();
});

test('parts that say the opposite of each other say nothing', async () => {
  expect(await embedPassages(embedder, [[part('red'), part('unred')], []])).toEqual([null, null]);
});
