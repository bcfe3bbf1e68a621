import { EngineUnavailableError } from '../domain/errors.ts';
import { MAX_RELEVANCE_DEPTH, type ScreenFilter } from '../domain/query.ts';
import type { Screen } from '../domain/screen.ts';
import { parseQuery } from '../domain/text.ts';
import { collapseNearDuplicates } from './collapse.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fuse, type RankedScreen, type Reason } from './fuse.ts';
import { normaliseFilter } from './list-screens.ts';
import type { LibraryPorts } from './ports.ts';
import { presentScreen } from './present.ts';

export type FindMode = 'hybrid' | 'semantic' | 'text';

/** How far down a ranking by meaning goes; beyond it similarity means nothing. */
const MAX_MEANING_HITS = 300;

/** A checked question. */
export interface FindQuestion {
  /** Absent or empty: whatever passes the filter, newest first. */
  query?: string;
  mode: FindMode;
  filter: ScreenFilter;
  /** At most this many hits of one app. */
  maxPerApp?: number;
  /** Hits below this score (0–1) are left out. */
  minScore?: number;
  /** 1–100. */
  limit: number;
  cursor?: string;
}

export interface FoundScreen {
  screen: Screen;
  /** 0–1; see `fuse` for what it is made of. */
  score: number;
  /** Why it is here. */
  matched: Reason[];
  /** Ids of near-duplicates that this hit stands for. */
  alike: string[];
}

export interface FindAnswer {
  hits: FoundScreen[];
  /** Exact number of matches where the question has one (by text or filter alone); null where it is a ranking by meaning. */
  total: number | null;
  nextCursor: string | null;
  /** Parts of the search that could not answer; the rest is without them. */
  missing: ('text' | 'meaning')[];
}

type FindPorts = Pick<LibraryPorts, 'catalogue' | 'search' | 'vectors' | 'embedder' | 'images'>;

/**
 * Screens for a question in plain words, by the words themselves, by what they mean, or both.
 * Throws InvalidArgumentError for a cursor of another question, and EngineUnavailableError when no engine that the
 * mode needs can be reached.
 */
export async function findScreens(ports: FindPorts, question: FindQuestion): Promise<FindAnswer> {
  const filter = normaliseFilter(question.filter);
  const query = question.query?.trim() ?? '';
  const { mode, limit, maxPerApp, minScore } = question;
  const identity = ['find', filter, query, mode, maxPerApp ?? null, minScore ?? null];
  const position = question.cursor === undefined ? undefined : decodeCursor(identity, question.cursor);
  const offset = position !== undefined && 'offset' in position ? position.offset : 0;

  const { ranked, total, missing } = await rank(ports, { query, mode, filter });
  const kept = ranked.filter((hit) => hit.score >= (minScore ?? 0));
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
    // Leaving hits out by score changes what counts as a match.
    total: minScore === undefined ? total : null,
    nextCursor: offset + limit < distinct.length ? encodeCursor(identity, { offset: offset + limit }) : null,
    missing,
  };
}

interface Ranking {
  ranked: RankedScreen[];
  total: number | null;
  missing: FindAnswer['missing'];
}

async function rank(
  ports: FindPorts,
  { query, mode, filter }: { query: string; mode: FindMode; filter: ScreenFilter },
): Promise<Ranking> {
  const byWords = query === '' || mode !== 'semantic';
  const byMeaning = query !== '' && mode !== 'text';
  const [words, meaning] = await Promise.allSettled([
    byWords ? searchWords(ports, query, filter) : undefined,
    byMeaning ? searchMeaning(ports, query, filter) : undefined,
  ]);
  const missing: Ranking['missing'] = [];
  if (isDown(words)) missing.push('text');
  if (isDown(meaning)) missing.push('meaning');
  const answered = [words, meaning].some((part) => part.status === 'fulfilled' && part.value !== undefined);
  const failure = [words, meaning].find(isDown);
  if (!answered && failure !== undefined) throw failure.reason;

  const text = words.status === 'fulfilled' ? words.value : undefined;
  const near = meaning.status === 'fulfilled' ? meaning.value : undefined;
  return {
    ranked: fuse({
      ...(text === undefined ? {} : { text: text.hits }),
      ...(near === undefined ? {} : { meaning: near }),
      asked: query !== '',
      byColor: filter.colors !== undefined,
    }),
    total: near === undefined && text !== undefined ? text.total : null,
    missing,
  };
}

/** An engine that is down is an answer with a gap; any other failure is a defect and goes on as it is. */
function isDown(part: PromiseSettledResult<unknown>): part is PromiseRejectedResult {
  if (part.status === 'fulfilled') return false;
  if (part.reason instanceof EngineUnavailableError) return true;
  throw part.reason;
}

function searchWords({ search }: FindPorts, query: string, filter: ScreenFilter) {
  const terms = parseQuery(query);
  const order = terms.length > 0 ? ({ by: 'relevance', offset: 0 } as const) : ({ by: 'newest' } as const);
  return search.search({ terms, filter, limit: MAX_RELEVANCE_DEPTH, order });
}

async function searchMeaning({ embedder, vectors }: FindPorts, query: string, filter: ScreenFilter) {
  const [vector] = await embedder.embed([query], 'query');
  if (vector === null || vector === undefined) return [];
  return vectors.query({ space: 'text', vector, filter, limit: MAX_MEANING_HITS });
}

async function limitPerApp<T extends { id: string }>(
  { catalogue }: FindPorts,
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
