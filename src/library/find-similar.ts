import { createHash } from 'node:crypto';
import { NotFoundError } from '../domain/errors.ts';
import type { ScreenFilter } from '../domain/query.ts';
import type { VectorSpace } from '../ports/vector-index.ts';
import { toScore, type RankedScreen } from './fuse.ts';
import { normaliseFilter } from './list-screens.ts';
import { pageOfHits, type FoundScreen, type PageWanted } from './page-of-hits.ts';
import type { LibraryPorts } from './ports.ts';
import type { Waiting } from './waiting.ts';

export type Likeness = 'layout' | 'meaning';

/** How far down a ranking by likeness goes. */
const MAX_SIMILAR_HITS = 300;

/**
 * Below this cosine two layouts are as much alike as any two: of pairs of screens of different apps of the sample,
 * 9 in 10 are below it. The same page in a light and a dark theme has 0.84 to 0.99.
 */
const MIN_LAYOUT_COSINE = 0.7;

/** Of pairs of screens of different apps of the sample, 9 in 10 are below this cosine of what they mean. */
const MIN_PASSAGE_COSINE = 0.45;

/** A checked question. */
export interface SimilarQuestion extends Omit<PageWanted, 'identity'> {
  /** A screen of the library, or the bytes of a picture. */
  of: { screenId: string } | { image: Uint8Array };
  by: Likeness;
  filter: ScreenFilter;
}

export interface SimilarAnswer {
  /** The screen itself is never among them. */
  hits: FoundScreen[];
  nextCursor: string | null;
  /** False when what was given has nothing to compare: no edge for layout, no known word for meaning. */
  comparable: boolean;
}

type SimilarPorts = Pick<LibraryPorts, 'catalogue' | 'vectors' | 'embedder' | 'images' | 'analyser'>;

/**
 * Screens that look or mean nearly the same as a screen or picture, most alike first.
 * Throws NotFoundError for an unknown screen, InvalidArgumentError for a picture that cannot be read or a cursor of
 * another question, EngineUnavailableError when an engine that it takes cannot be reached.
 */
export async function findSimilar(
  ports: SimilarPorts,
  question: SimilarQuestion,
  waiting: Waiting = {},
): Promise<SimilarAnswer> {
  const { of, by } = question;
  if ('screenId' in of && (await ports.catalogue.screen(of.screenId)) === undefined) {
    throw new NotFoundError('screen', of.screenId);
  }
  const filter = normaliseFilter(question.filter);
  const subject = 'screenId' in of ? of.screenId : createHash('sha256').update(of.image).digest('base64url');
  const vector =
    'screenId' in of ? await stored(ports, of.screenId, by) : await analysed(ports, of.image, by, waiting);
  waiting.signal?.throwIfAborted();
  const ranked = vector === undefined ? [] : await nearest(ports, vector, { ...question, filter });
  const wanted = { ...question, identity: ['similar', subject, by, filter] };
  return { ...(await pageOfHits(ports, wanted, ranked)), comparable: vector !== undefined };
}

const SPACES: Record<Likeness, VectorSpace> = { layout: 'visual', meaning: 'text' };
const MIN_COSINES: Record<Likeness, number> = { layout: MIN_LAYOUT_COSINE, meaning: MIN_PASSAGE_COSINE };

function stored(
  { vectors }: SimilarPorts,
  screenId: string,
  by: Likeness,
): Promise<Float32Array | undefined> {
  return vectors.vector(screenId, SPACES[by]);
}

async function analysed(
  { analyser, embedder }: SimilarPorts,
  image: Uint8Array,
  by: Likeness,
  { signal, onProgress }: Waiting,
): Promise<Float32Array | undefined> {
  if (by === 'layout') return (await analyser.layout(image)) ?? undefined;
  onProgress?.({ done: 0, total: 2, message: 'Reading the text on the picture' });
  const text = await analyser.text(image, signal);
  onProgress?.({ done: 1, total: 2, message: 'Looking for screens that mean the same' });
  const [vector] = await embedder.embed([text], 'passage');
  return vector ?? undefined;
}

async function nearest(
  { vectors }: SimilarPorts,
  vector: Float32Array,
  { of, by, filter }: SimilarQuestion,
): Promise<RankedScreen[]> {
  const itself = 'screenId' in of ? [of.screenId] : [];
  const found = await vectors.query({
    space: SPACES[by],
    vector,
    filter: { ...filter, excludeIds: [...(filter.excludeIds ?? []), ...itself] },
    limit: MAX_SIMILAR_HITS,
    minScore: MIN_COSINES[by],
  });
  const colour = filter.colors === undefined ? [] : (['colour'] as const);
  return found.map(({ screenId, score }) => ({
    id: screenId,
    score: toScore(score),
    matched: [by, ...colour],
  }));
}
