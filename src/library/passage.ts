import type { FlowRecord, ScreenRecord } from '../domain/screen.ts';
import { captionTextOf } from '../domain/screen.ts';
import type { Platform } from '../domain/vocabulary.ts';
import type { Embedder } from '../ports/embedder.ts';

/** Changes whenever the rules below do: vectors made by other rules are not comparable. Stored beside the model's id. */
export const PASSAGE_RULES = 'passages 3';

/** What a screen is about stands in its first lines; the cut keeps one endless document from costing minutes. */
const MAX_TEXT_CHARACTERS = 2000;

const PLATFORM_WORDS: Record<Platform, string> = {
  IOS: 'iPhone phone app',
  ANDROID: 'Android phone app',
  WEB: 'web page',
};

/** A text with a meaning of its own, and how much of the whole it is. */
export interface PassagePart {
  text: string;
  weight: number;
}

/** Chosen on the tuning part of the judged queries (bench/eval), with the built-in model and with a sentence transformer. */
const WEIGHT = { kind: 1.5, journeys: 1, events: 1, text: 2 };
/** A flow's name is its best description; steps are of many kinds, most of them not what it is for. */
const FLOW_WEIGHT = { name: 2, events: 1, steps: 1 };

/**
 * What is embedded of a screen, in parts that count by weight however long they are: what kind of screen it is, the
 * journeys it belongs to, what happens in them, and what it says. In one text, a wall of small print would drown the few
 * words that tell what the screen is for. The app's name is left out: names mean nothing to a model, or something else.
 */
export function composePassage(record: ScreenRecord, flows: readonly FlowRecord[]): PassagePart[] {
  const kind = [...record.pattern.map(spaced), PLATFORM_WORDS[record.platform]].join(', ');
  const journeys = flows.map((flow) => `${spaced(flow.type)}: ${flow.name}`).join('. ');
  const events = flows.map((flow) => flow.description ?? '').join(' ');
  return [
    { text: kind, weight: WEIGHT.kind },
    { text: journeys, weight: WEIGHT.journeys },
    { text: events, weight: WEIGHT.events },
    { text: captionTextOf(record)?.slice(0, MAX_TEXT_CHARACTERS) ?? '', weight: WEIGHT.text },
  ];
}

/**
 * What is embedded of a flow: what it is, what happens in it, and the kinds of its steps.
 * @param patterns of the flow's screens, by id
 */
export function composeFlowPassage(
  flow: FlowRecord,
  patterns: ReadonlyMap<string, readonly string[]>,
): PassagePart[] {
  const kinds = new Set(flow.screenIds.flatMap((id) => patterns.get(id) ?? []));
  return [
    { text: `${spaced(flow.type)}: ${flow.name}`, weight: FLOW_WEIGHT.name },
    { text: flow.description?.slice(0, MAX_TEXT_CHARACTERS) ?? '', weight: FLOW_WEIGHT.events },
    { text: [...kinds].map(spaced).join(', '), weight: FLOW_WEIGHT.steps },
  ];
}

function spaced(kebabCase: string): string {
  return kebabCase.replaceAll('-', ' ');
}

/**
 * One vector a passage: the weighted mean of its parts' vectors, at unit length. A part that the model knows no word of
 * counts nothing.
 * @returns in order; null where no part has a vector
 */
export async function embedPassages(
  embedder: Embedder,
  passages: readonly (readonly PassagePart[])[],
): Promise<(Float32Array | null)[]> {
  const parts = passages.flat();
  const texts = parts.map(({ text }) => text);
  const vectors = await embedder.embed(texts, 'passage');
  let place = 0;
  return passages.map((own) => {
    const sum = new Float32Array(embedder.dims);
    for (const { weight } of own) {
      const vector = vectors[place++];
      vector?.forEach((value, axis) => (sum[axis]! += weight * value));
    }
    const length = Math.hypot(...sum);
    return length === 0 ? null : sum.map((value) => value / length);
  });
}
