import type { Client, estypes } from '@elastic/elasticsearch';
import { EngineUnavailableError } from '../../domain/errors.ts';
import type { ScreenDocument } from '../../ports/search-index.ts';
import { indexedScreen, type IndexedScreen } from './document.ts';

export type Write =
  | { id: string; version: number; screen: IndexedScreen }
  /** Without a screen: forget it. */
  | { id: string };

/** Throws RangeError for a colour that is none. */
export function toWrite(document: ScreenDocument): Write {
  return { id: document.id, version: document.version, screen: indexedScreen(document) };
}

/** Elasticsearch takes 100 MB a request unless told otherwise; requests of a few MB are what it is quickest with. */
const MAX_REQUEST_BYTES = 5_000_000;
/** Waits before a write that Elasticsearch could not take yet is tried again. */
const RETRY_MS = [300, 1000, 4000];

/** Elasticsearch quotes what it cannot read. */
const MAX_REASON_CHARACTERS = 200;

const ALREADY_NEWER = 409;
const NOT_FOUND = 404;
const TOO_BUSY = 429;

/**
 * Writes to each alias. A screen of the same or a higher version stays as it is.
 * Throws EngineUnavailableError when Elasticsearch stays too busy, MissingAliasError when an alias is there no more,
 * and Error that names the first screen and why when Elasticsearch refuses one. What was written by then stays; the
 * same call again changes nothing of it.
 */
export async function writeAll(
  client: Client,
  writes: readonly Write[],
  { aliases, visible }: { aliases: readonly string[]; visible: boolean },
): Promise<void> {
  const actions = writes.flatMap((write) => aliases.map((alias) => lines(write, alias)));
  for (const request of requests(actions)) await send(client, request);
  if (visible && actions.length > 0) await client.indices.refresh({ index: [...aliases] });
}

/** An alias that was to be written through has gone, by a swap for one. */
export class MissingAliasError extends Error {
  override readonly name = 'MissingAliasError';
}

function lines(write: Write, alias: string): string {
  const target = { _index: alias, _id: write.id, require_alias: true };
  if (!('screen' in write)) return JSON.stringify({ delete: target });
  const action = { index: { ...target, version: write.version, version_type: 'external' } };
  return `${JSON.stringify(action)}\n${JSON.stringify(write.screen)}`;
}

function* requests(actions: readonly string[]): Generator<string[]> {
  let request: string[] = [];
  let bytes = 0;
  for (const action of actions) {
    const size = Buffer.byteLength(action);
    if (bytes + size > MAX_REQUEST_BYTES && request.length > 0) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push(action);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

async function send(client: Client, actions: readonly string[]): Promise<void> {
  let left = actions;
  for (const waitMs of [...RETRY_MS, undefined]) {
    const { items } = await client.bulk({ operations: [...left] });
    const outcomes = items.map((item) => item.index ?? item.delete);
    for (const outcome of outcomes) refuse(outcome);
    const removed = await removedAmong(client, outcomes);
    left = left.filter((_, place) => outcomes[place]?.status === TOO_BUSY || removed.has(outcomes[place]));
    if (left.length === 0) return;
    if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Forgets what was removed for good.
    const indexes = new Set([...removed].map((outcome) => outcome?._index ?? ''));
    if (indexes.size > 0) await client.indices.refresh({ index: [...indexes] });
  }
  throw new EngineUnavailableError('The search index', {
    cause: new Error(`Elasticsearch was too busy for ${left.length} writes.`),
  });
}

type Outcome = estypes.BulkResponseItem | undefined;

/**
 * Of the refusals for a newer version, those where there is no document at all. For some hundred milliseconds
 * Elasticsearch remembers the version of what was removed, and takes nothing older in its place.
 */
async function removedAmong(client: Client, outcomes: readonly Outcome[]): Promise<ReadonlySet<Outcome>> {
  const outdated = outcomes.filter((outcome) => outcome?.status === ALREADY_NEWER);
  if (outdated.length === 0) return new Set();
  const { docs } = await client.mget({
    docs: outdated.map((outcome) => ({ _index: outcome?._index ?? '', _id: outcome?._id ?? '' })),
    _source: false,
  });
  return new Set(outdated.filter((_, place) => isAbsent(docs[place])));
}

function isAbsent(doc: estypes.MgetResponseItem | undefined): boolean {
  return doc !== undefined && 'found' in doc && !doc.found;
}

function refuse(outcome: Outcome): void {
  if (outcome === undefined || outcome.error === undefined) return;
  const { status, error, _id: id } = outcome;
  if (status === ALREADY_NEWER || status === TOO_BUSY) return;
  if (status === NOT_FOUND) throw new MissingAliasError(`${outcome._index} is there no more.`);
  const reason = `${error.type}: ${error.caused_by?.reason ?? error.reason ?? 'no reason given'}`;
  throw new Error(`Elasticsearch refused the screen ${id}: ${reason.slice(0, MAX_REASON_CHARACTERS)}`);
}
