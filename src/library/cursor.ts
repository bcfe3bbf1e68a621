import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../domain/errors.ts';
import { MAX_RELEVANCE_DEPTH, type NewestPosition } from '../domain/query.ts';
import { parseTimestamp } from '../domain/vocabulary.ts';

/** Where a page ended: after an item in newest order, or at a place in a ranking. */
export type Position = { after: NewestPosition } | { offset: number };

/** Enough to tell two questions apart by accident; a cursor protects no secret. */
const QUESTION_DIGEST_CHARACTERS = 16;

function digest(question: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(question))
    .digest('base64url')
    .slice(0, QUESTION_DIGEST_CHARACTERS);
}

/**
 * Opaque text for a position, bound to the question it belongs to.
 * @param question everything that decides which items come in which order; not the page size
 */
export function encodeCursor(question: unknown, position: Position): string {
  const place = 'offset' in position ? [position.offset] : [position.after.capturedAt, position.after.id];
  return Buffer.from(JSON.stringify([digest(question), ...place])).toString('base64url');
}

/** Has the text the form of a cursor? Which question it belongs to is for decodeCursor to say. */
export function isCursor(text: string): boolean {
  return parse(text) !== undefined;
}

/** Throws InvalidArgumentError for a malformed cursor and for one that belongs to another question. */
export function decodeCursor(question: unknown, cursor: string): Position {
  const parts = parse(cursor);
  if (parts === undefined) throw malformed();
  const [owner, first, second] = parts;
  if (owner !== digest(question)) {
    throw invalid('It belongs to a search with other filters or another order; start again without cursor.');
  }
  if (typeof first === 'number' && Number.isInteger(first) && first >= 0 && first < MAX_RELEVANCE_DEPTH) {
    return { offset: first };
  }
  if (typeof first === 'string' && parseTimestamp(first) === first && typeof second === 'string') {
    return { after: { capturedAt: first, id: second } };
  }
  throw malformed();
}

function parse(cursor: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function malformed(): InvalidArgumentError {
  return invalid('It is not a cursor of this service; pass nextCursor of the previous page unchanged.');
}

function invalid(reason: string): InvalidArgumentError {
  return new InvalidArgumentError([{ parameter: 'cursor', detail: `The cursor cannot be used. ${reason}` }]);
}
