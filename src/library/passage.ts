import type { FlowRecord, ScreenRecord } from '../domain/screen.ts';
import { captionTextOf } from '../domain/screen.ts';
import type { Platform } from '../domain/vocabulary.ts';
import type { Embedder } from '../ports/embedder.ts';

/** Changes whenever the rules below do: vectors made by other rules are not comparable. Stored beside the model's id. */
export const PASSAGE_RULES = 'passages 2';

/** What a screen is about stands in its first lines; the cut keeps one endless document from costing minutes. */
const MAX_TEXT_CHARACTERS = 2000;

const PLATFORM_WORDS: Record<Platform, string> = {
  IOS: 'iPhone phone app',
  ANDROID: 'Android phone app',
  WEB: 'web page',
};

/**
 * What is embedded of a screen, in parts that count the same however long they are: what kind of screen it is, the
 * journeys it belongs to, what happens in them, and what it says. In one text, a wall of small print would drown the few
 * words that tell what the screen is for. The app's name is left out: names mean nothing to a model, or something else.
 */
export function composePassage(record: ScreenRecord, flows: readonly FlowRecord[]): string[] {
  const words = (value: string) => value.replaceAll('-', ' ');
  return [
    [...record.pattern.map(words), PLATFORM_WORDS[record.platform]].join(', '),
    flows.map((flow) => `${words(flow.type)}: ${flow.name}`).join('. '),
    flows.map((flow) => flow.description ?? '').join(' '),
    captionTextOf(record)?.slice(0, MAX_TEXT_CHARACTERS) ?? '',
  ];
}

/**
 * One vector a passage: the direction in the middle of its parts' vectors.
 * @returns of unit length, in order; null where the model knows no word of any part
 */
export async function embedPassages(
  embedder: Embedder,
  passages: readonly (readonly string[])[],
): Promise<(Float32Array | null)[]> {
  const vectors = await embedder.embed(passages.flat(), 'passage');
  let start = 0;
  return passages.map((parts) => {
    const own = vectors.slice(start, (start += parts.length));
    return middleOf(own.filter((vector) => vector !== null));
  });
}

function middleOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.length);
  for (const vector of vectors) vector.forEach((value, place) => (sum[place]! += value));
  const length = Math.hypot(...sum);
  return length === 0 ? null : sum.map((value) => value / length);
}
