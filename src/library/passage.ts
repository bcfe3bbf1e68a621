import type { AppRecord, FlowRecord, ScreenRecord } from '../domain/screen.ts';
import { captionTextOf } from '../domain/screen.ts';

/** A static model averages words: a wall of small print would drown what the screen is about. */
const MAX_TEXT_CHARACTERS = 600;

/**
 * What is embedded of a screen. What it is for goes first (patterns, the journeys it belongs to, the app), then what
 * it says, because OCR text alone says little about a screen's purpose.
 */
export function composePassage(
  record: ScreenRecord,
  context: { app?: AppRecord; flows: readonly FlowRecord[] },
): string {
  const words = (value: string) => value.replaceAll('-', ' ');
  const flows = context.flows.map((flow) => `${words(flow.type)} ${flow.name}`);
  const text = captionTextOf(record)?.slice(0, MAX_TEXT_CHARACTERS);
  return [record.pattern.map(words).join(', '), ...flows, context.app?.name, text]
    .filter((part) => part !== undefined && part !== '')
    .join('. ');
}
