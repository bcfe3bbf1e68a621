import type { FlowRecord } from '../domain/screen.ts';
import { toKebabCase } from '../domain/vocabulary.ts';
import type { FlowFilter } from '../ports/catalogue.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { DEFAULT_PAGE_ITEMS, type Page } from './list-screens.ts';
import type { LibraryPorts } from './ports.ts';

/** A checked question: limit 1–100. */
export interface FlowsQuestion {
  filter: FlowFilter;
  limit?: number;
  cursor?: string;
}

/**
 * Flows that match every filter, newest first, page by page. They come without `screens`.
 * Throws InvalidArgumentError for a cursor that does not belong to the question.
 */
export async function listFlows(
  { catalogue }: Pick<LibraryPorts, 'catalogue'>,
  question: FlowsQuestion,
): Promise<Page<FlowRecord>> {
  const limit = question.limit ?? DEFAULT_PAGE_ITEMS;
  const { appId, type, platform } = question.filter;
  const filter: FlowFilter = {
    ...(appId === undefined ? {} : { appId }),
    // A type of punctuation alone stays as it is: it matches nothing, where no type would match everything.
    ...(type === undefined ? {} : { type: toKebabCase(type) || type }),
    ...(platform === undefined ? {} : { platform }),
  };
  const identity = ['flows', filter];
  const position = question.cursor === undefined ? undefined : decodeCursor(identity, question.cursor);
  const after = position !== undefined && 'after' in position ? position.after : undefined;

  const { flows, total } = await catalogue.flows(filter, {
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  const data = flows.slice(0, limit);
  const last = data.at(-1);
  const nextCursor =
    flows.length > limit && last !== undefined
      ? encodeCursor(identity, { after: { capturedAt: last.capturedAt, id: last.id } })
      : null;
  return { data, nextCursor, total };
}
