import { EngineUnavailableError } from '../domain/errors.ts';
import { MAX_RELEVANCE_DEPTH, type ScreenFilter } from '../domain/query.ts';
import { parseQuery } from '../domain/text.ts';
import { favourColors } from './favour-colors.ts';
import { fuse, type RankedScreen } from './fuse.ts';
import { normaliseFilter } from './list-screens.ts';
import { pageOfHits, type FoundScreen, type PageWanted } from './page-of-hits.ts';
import type { LibraryPorts } from './ports.ts';
import { weighWords } from './weigh-words.ts';

export type FindMode = 'hybrid' | 'semantic' | 'text';

/** How far down a ranking by meaning goes; beyond it similarity means nothing. */
const MAX_MEANING_HITS = 300;

/** A checked question. */
export interface FindQuestion extends Omit<PageWanted, 'identity'> {
  /** Absent or empty: whatever passes the filter, newest first. */
  query?: string;
  mode: FindMode;
  filter: ScreenFilter;
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
  const { mode } = question;
  const { ranked, total, missing } = await rank(ports, { query, mode, filter });
  const wanted = { ...question, identity: ['find', filter, query, mode] };
  return {
    ...(await pageOfHits(ports, wanted, ranked)),
    // Leaving hits out by score changes what counts as a match.
    total: question.minScore === undefined ? total : null,
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
    byWords ? searchWords(ports, query, filter, byMeaning) : undefined,
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
  const ranked = fuse({
    ...(text === undefined ? {} : { text: text.page.hits }),
    ...(text?.words === undefined ? {} : { words: text.words }),
    ...(near === undefined ? {} : { meaning: near }),
    asked: query !== '',
    byColor: filter.colors !== undefined,
  });
  return {
    ranked: near === undefined ? ranked : await favourColors(ports.catalogue, query, ranked),
    total: near === undefined && text !== undefined ? text.page.total : null,
    missing,
  };
}

/** An engine that is down is an answer with a gap; any other failure is a defect and goes on as it is. */
function isDown(part: PromiseSettledResult<unknown>): part is PromiseRejectedResult {
  if (part.status === 'fulfilled') return false;
  if (part.reason instanceof EngineUnavailableError) return true;
  throw part.reason;
}

async function searchWords({ search }: FindPorts, query: string, filter: ScreenFilter, singly: boolean) {
  const terms = parseQuery(query);
  const order = terms.length > 0 ? ({ by: 'relevance', offset: 0 } as const) : ({ by: 'newest' } as const);
  const [page, words] = await Promise.all([
    search.search({ terms, filter, limit: MAX_RELEVANCE_DEPTH, order }),
    singly ? weighWords(search, query) : undefined,
  ]);
  return { page, words };
}

async function searchMeaning({ embedder, vectors }: FindPorts, query: string, filter: ScreenFilter) {
  const [vector] = await embedder.embed([query], 'query');
  if (vector === null || vector === undefined) return [];
  return vectors.query({ space: 'text', vector, filter, limit: MAX_MEANING_HITS });
}
