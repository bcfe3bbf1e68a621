import {
  colorCell,
  DEFAULT_COLOR_TOLERANCE,
  expandToCells,
  labOf,
  squaredReach,
} from '../../domain/color.ts';
import type { NewestPosition, ScreenFilter } from '../../domain/query.ts';
import { SLOT_BITS } from './database.ts';

/** SQL text and the values of its parameters, in order. Integers are bigint: SQLite reads a number as REAL. */
export interface Statement {
  sql: string;
  values: (string | bigint)[];
}

/** Which screens: those that match an FTS5 expression, where there is one, and pass the filter. */
export interface Selection {
  match?: string;
  filter: ScreenFilter;
}

/** `total`: how many screens there are. */
export function countStatement(selection: Selection): Statement {
  return select('count(*) AS total', selection, []);
}

/**
 * `second`, `id` and `captured_at`, by descending second; within a second in no order. Meant to be read only as far as
 * needed: nothing is sorted first.
 */
export function newestStatement(selection: Selection, after?: NewestPosition): Statement {
  const columns = `screen.slot >> ${SLOT_BITS} AS second, screen.id, screen.captured_at`;
  const conditions = after === undefined ? [] : [olderThan(after)];
  const { sql, values } = select(columns, selection, conditions, { details: true });
  return { sql: `${sql} ORDER BY ${slotColumn(selection)} DESC`, values };
}

/** `id`, `captured_at` and `score`, best first, then newest, then id; screens in `without` are left out. */
export function rankingStatement(
  selection: Selection & { match: string },
  { without, limit }: { without: readonly string[]; limit: number },
): Statement {
  const columns = 'screen.id, screen.captured_at, -bm25(screen_text) AS score';
  const conditions = without.length === 0 ? [] : [notAmong(without)];
  const { sql, values } = select(columns, selection, conditions, { details: true });
  return {
    sql: `${sql} ORDER BY score DESC, screen.captured_at DESC, screen.id LIMIT ?`,
    values: [...values, BigInt(limit)],
  };
}

/** The slots of a second are those from this one up to, not including, that of the next second. */
export function firstSlotOfSecond(capturedAt: string): bigint {
  return BigInt(Math.floor(Date.parse(capturedAt) / 1000)) << BigInt(SLOT_BITS);
}

export function firstSlotAfterSecond(capturedAt: string): bigint {
  return firstSlotOfSecond(capturedAt) + (1n << BigInt(SLOT_BITS));
}

function slotColumn({ match }: Selection): string {
  return match === undefined ? 'screen.slot' : 'screen_text.rowid';
}

function select(
  columns: string,
  selection: Selection,
  more: readonly Statement[],
  { details = false } = {},
): Statement {
  const conditions = [...conditionsOf(selection), ...more];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return {
    sql: `SELECT ${columns} FROM ${source(selection, details)}${where}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** CROSS keeps SQLite from asking the text index about one screen after the other, which is slower by far. */
function source({ match }: Selection, details: boolean): string {
  if (match === undefined) return 'screen';
  return details ? 'screen_text CROSS JOIN screen ON screen.slot = screen_text.rowid' : 'screen_text';
}

/**
 * With words, FTS5 walks its postings and each screen is looked up in the sets of the filter (the unary plus keeps
 * SQLite from walking the sets instead). Without, the indexes of the filter lead, in order of their slots.
 */
function conditionsOf({ match, filter }: Selection): Statement[] {
  const byWords = match !== undefined;
  const slot = byWords ? '+screen_text.rowid' : 'screen.slot';
  const conditions: Statement[] = [];
  if (byWords) conditions.push({ sql: 'screen_text MATCH ?', values: [match] });

  const { appId, platform, pattern, excludeIds } = filter;
  const column = (name: 'app_id' | 'platform', value: string) =>
    conditions.push({
      sql: byWords ? `${slot} IN (SELECT slot FROM screen WHERE ${name} = ?)` : `screen.${name} = ?`,
      values: [value],
    });
  if (appId !== undefined) column('app_id', appId);
  if (platform !== undefined) column('platform', platform);
  if (pattern !== undefined) {
    conditions.push({
      sql: `${slot} IN (SELECT slot FROM screen_pattern WHERE pattern IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(pattern)],
    });
  }
  if (excludeIds !== undefined) {
    conditions.push({
      sql: `${slot} NOT IN (SELECT slot FROM screen WHERE id IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(excludeIds)],
    });
  }
  const narrowed = byWords || pattern !== undefined || appId !== undefined;
  const tolerance = filter.colorTolerance ?? DEFAULT_COLOR_TOLERANCE;
  for (const hex of filter.colors ?? []) {
    conditions.push(nearColor(hex, tolerance, narrowed ? { slot: slot.replace('+', '') } : undefined));
  }
  return conditions;
}

/**
 * Looking at the colours of each screen costs about a microsecond, which is least where other conditions leave few
 * screens, or where the colour itself leaves out few. Otherwise the index of RGB cells gives the set of near screens.
 */
const MAX_CELLS_TO_GATHER = 4096;

function nearColor(hex: string, tolerance: number, narrowed: { slot: string } | undefined): Statement {
  const { l, a, b } = labOf(hex);
  const [L, A, B] = [BigInt(l), BigInt(a), BigInt(b)];
  const distance = '(l - ?) * (l - ?) + (a - ?) * (a - ?) + (b - ?) * (b - ?) <= ?';
  const values = [L, L, A, A, B, B, BigInt(squaredReach(tolerance))];
  if (narrowed === undefined) {
    const { inside, boundary } = expandToCells(hex, tolerance);
    const cells = tolerance === 0 ? [colorCell(hex)] : [...inside, ...boundary];
    if (cells.length <= MAX_CELLS_TO_GATHER) {
      return {
        sql: `screen.slot IN (SELECT slot FROM screen_color WHERE cell IN (SELECT value FROM json_each(?)) AND ${distance})`,
        values: [JSON.stringify(cells), ...values],
      };
    }
  }
  return {
    sql: `EXISTS (SELECT 1 FROM screen_color WHERE slot = ${narrowed?.slot ?? 'screen.slot'} AND ${distance})`,
    values,
  };
}

function olderThan({ capturedAt, id }: NewestPosition): Statement {
  return {
    sql: 'screen.slot < ? AND (screen.captured_at < ? OR (screen.captured_at = ? AND screen.id > ?))',
    values: [firstSlotAfterSecond(capturedAt), capturedAt, capturedAt, id],
  };
}

function notAmong(ids: readonly string[]): Statement {
  return { sql: 'screen.id NOT IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] };
}
