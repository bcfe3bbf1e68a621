import type { Screen } from '../domain/screen.ts';
import { collapseNearDuplicates } from './collapse.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { RankedScreen, Reason } from './fuse.ts';
import type { LibraryPorts } from './ports.ts';
import { presentScreen } from './present.ts';

export interface FoundScreen {
  screen: Screen;
  /** 0–1, higher is better. */
  score: number;
  /** Why it is here. */
  matched: Reason[];
  /** Ids of near-duplicates that this hit stands for. */
  alike: string[];
}

/** Which part of a ranking is wanted. */
export interface PageWanted {
  /** Everything that decides the ranking; cursors are bound to it. */
  identity: unknown;
  cursor?: string;
  /** 1–100. */
  limit: number;
  /** At most this many hits of one app. */
  maxPerApp?: number;
  /** Hits below this score (0–1) are left out. */
  minScore?: number;
}

/**
 * One page of a ranking: near-duplicates folded into their best hit, apps held to their share, records filled in.
 * Throws InvalidArgumentError for a cursor of another question.
 */
export async function pageOfHits(
  ports: Pick<LibraryPorts, 'catalogue' | 'images'>,
  { identity, cursor, limit, maxPerApp, minScore = 0 }: PageWanted,
  ranked: readonly RankedScreen[],
): Promise<{ hits: FoundScreen[]; nextCursor: string | null }> {
  const bound = [identity, maxPerApp ?? null, minScore];
  const position = cursor === undefined ? undefined : decodeCursor(bound, cursor);
  const offset = position !== undefined && 'offset' in position ? position.offset : 0;

  const kept = ranked.filter((hit) => hit.score >= minScore);
  const collapsed = await collapseNearDuplicates(ports.catalogue, kept);
  const distinct = maxPerApp === undefined ? collapsed : await limitPerApp(ports, collapsed, maxPerApp);
  const page = distinct.slice(offset, offset + limit);
  const records = new Map(
    (await ports.catalogue.screens(page.map((hit) => hit.id))).map((record) => [record.id, record]),
  );
  return {
    hits: page.flatMap(({ id, score, matched, alike }) => {
      const record = records.get(id);
      return record === undefined
        ? []
        : [{ screen: presentScreen(record, ports.images), score, matched, alike }];
    }),
    nextCursor: offset + limit < distinct.length ? encodeCursor(bound, { offset: offset + limit }) : null,
  };
}

async function limitPerApp<T extends { id: string }>(
  { catalogue }: Pick<LibraryPorts, 'catalogue'>,
  hits: T[],
  maxPerApp: number,
): Promise<T[]> {
  const records = await catalogue.screens(hits.map((hit) => hit.id));
  const apps = new Map(records.map((record) => [record.id, record.appId]));
  const taken = new Map<string | undefined, number>();
  return hits.filter(({ id }) => {
    const app = apps.get(id);
    const count = (taken.get(app) ?? 0) + 1;
    taken.set(app, count);
    return count <= maxPerApp;
  });
}
