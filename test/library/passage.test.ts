import { expect, test } from 'vitest';
import type { FlowRecord } from '../../src/domain/screen.ts';
import { composePassage, embedPassages } from '../../src/library/passage.ts';
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

test('a screen is told by its kind, its journeys, what happens in them, and what it says', () => {
  expect(composePassage({ ...record, ocrText: 'Send the link' }, [flow])).toEqual([
    'forgot password, form, iPhone phone app',
    'password reset: Back in',
    'A mail leads to a new password.',
    'Send the link',
  ]);
});

test('a caption goes before recognised text, and endless text is cut', () => {
  const read = { ...record, ocrText: 'x'.repeat(100_000) };
  expect(composePassage(read, []).at(-1)).toHaveLength(2000);
  expect(composePassage({ ...read, caption: 'By hand' }, []).at(-1)).toBe('By hand');
});

/** Knows two words, each on an axis of its own; long texts give long vectors to nobody. */
const embedder: Embedder = {
  modelId: 'two words',
  dims: 2,
  embed: async (texts) =>
    texts.map((text) =>
      text === 'red' ? Float32Array.of(1, 0) : text === 'green' ? Float32Array.of(0, 1) : null,
    ),
  close: async () => {},
};

test('every part that means something counts the same', async () => {
  const [both, one, none] = await embedPassages(embedder, [['red', '', 'green'], ['', 'red'], ['', '?'], []]);
  expect([...both!]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)]);
  expect([...one!]).toEqual([1, 0]);
  expect(none).toBeNull();
});

test('parts that say the opposite of each other say nothing', async () => {
  const opposed: Embedder = {
    ...embedder,
    embed: async () => [Float32Array.of(1, 0), Float32Array.of(-1, 0)],
  };
  expect(await embedPassages(opposed, [['red', 'green']])).toEqual([null]);
});
