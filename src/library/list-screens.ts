import { DEFAULT_COLOR_TOLERANCE } from '../domain/color.ts';
import { MAX_RELEVANCE_DEPTH, type ScreenFilter, type TextQuery } from '../domain/query.ts';
import type { Screen } from '../domain/screen.ts';
import { parseQuery } from '../domain/text.ts';
import { toKebabCase } from '../domain/vocabulary.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { LibraryPorts } from './ports.ts';
import { presentScreen } from './present.ts';

export const DEFAULT_PAGE_ITEMS = 20;
export const MAX_PAGE_ITEMS = 100;

export type Sort = 'relevance' | 'newest';

/** One page of a list. */
export interface Page<T> {
  data: T[];
  /** Null on the last page. In relevance order paging ends after MAX_RELEVANCE_DEPTH items. */
  nextCursor: string | null;
  /** Exactly how many items match, on all pages together. */
  total: number;
}

/** A checked question: colours are `#RRGGBB`, tolerance 0–50, limit 1–100. */
export interface ScreensQuestion {
  filter: ScreenFilter;
  /** Free text over caption and OCR text; every word must match. */
  q?: string;
  /** Absent: by relevance when words are asked for, else newest first. */
  sort?: Sort;
  limit?: number;
  cursor?: string;
}

/**
 * Screens that match every filter and word, page by page.
 * Throws InvalidArgumentError for a cursor that does not belong to the question, EngineUnavailableError when the
 * search engine cannot be reached.
 */
export async function listScreens(
  { search, catalogue, images }: Pick<LibraryPorts, 'search' | 'catalogue' | 'images'>,
  question: ScreensQuestion,
): Promise<Page<Screen>> {
  const limit = question.limit ?? DEFAULT_PAGE_ITEMS;
  const filter = normaliseFilter(question.filter);
  const terms = parseQuery(question.q ?? '');
  const sort: Sort = question.sort ?? (terms.length > 0 ? 'relevance' : 'newest');
  const identity = ['screens', filter, terms, sort];
  const position = question.cursor === undefined ? undefined : decodeCursor(identity, question.cursor);

  const order = orderOf(sort, position);
  // One more than asked for tells whether another page follows, except at the end of a ranking's depth.
  const depthLeft = order.by === 'relevance' ? MAX_RELEVANCE_DEPTH - order.offset : Infinity;
  const wanted = Math.min(limit, depthLeft);
  const { hits, total } = await search.search({
    terms,
    filter,
    limit: Math.min(wanted + 1, depthLeft),
    order,
  });

  const page = hits.slice(0, wanted);
  const last = page.at(-1);
  const nextCursor =
    hits.length > wanted && last !== undefined
      ? encodeCursor(
          identity,
          order.by === 'relevance'
            ? { offset: order.offset + wanted }
            : { after: { capturedAt: last.capturedAt, id: last.id } },
        )
      : null;
  const records = await catalogue.screens(page.map((hit) => hit.id));
  return { data: records.map((record) => presentScreen(record, images)), nextCursor, total };
}

function orderOf(sort: Sort, position: ReturnType<typeof decodeCursor> | undefined): TextQuery['order'] {
  if (sort === 'relevance') {
    return { by: 'relevance', offset: position !== undefined && 'offset' in position ? position.offset : 0 };
  }
  return position !== undefined && 'after' in position
    ? { by: 'newest', after: position.after }
    : { by: 'newest' };
}

/** Patterns in the catalogue's spelling, so that `Empty State` finds `empty-state`; members in one order, for cursors. */
export function normaliseFilter(filter: ScreenFilter): ScreenFilter {
  // A pattern of punctuation alone stays as it is: it matches nothing, where no pattern would match everything.
  const pattern = filter.pattern?.map((value) => toKebabCase(value) || value);
  return {
    ...(filter.appId === undefined ? {} : { appId: filter.appId }),
    ...(pattern === undefined || pattern.length === 0 ? {} : { pattern: [...new Set(pattern)].toSorted() }),
    ...(filter.platform === undefined ? {} : { platform: filter.platform }),
    ...(filter.colors === undefined || filter.colors.length === 0
      ? {}
      : {
          colors: [...new Set(filter.colors)].toSorted(),
          colorTolerance: filter.colorTolerance ?? DEFAULT_COLOR_TOLERANCE,
        }),
    ...(filter.excludeIds === undefined || filter.excludeIds.length === 0
      ? {}
      : { excludeIds: [...new Set(filter.excludeIds)].toSorted() }),
  };
}
