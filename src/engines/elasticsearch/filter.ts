import type { estypes } from '@elastic/elasticsearch';
import {
  colorCell,
  DEFAULT_COLOR_TOLERANCE,
  expandToCells,
  labOf,
  squaredReach,
} from '../../domain/color.ts';
import type { ScreenFilter } from '../../domain/query.ts';

type Query = estypes.QueryDslQueryContainer;

/** Clauses that a screen must all meet to pass the filter. */
export function filterClauses(filter: ScreenFilter): Query[] {
  const { appId, platform, pattern, colors = [], excludeIds } = filter;
  const tolerance = filter.colorTolerance ?? DEFAULT_COLOR_TOLERANCE;
  return [
    ...(appId === undefined ? [] : [{ term: { appId: appId.toWellFormed() } }]),
    ...(platform === undefined ? [] : [{ term: { platform } }]),
    ...(pattern === undefined ? [] : [{ terms: { pattern: wellFormed(pattern) } }]),
    ...(excludeIds === undefined ? [] : [{ bool: { must_not: { terms: { id: wellFormed(excludeIds) } } } }]),
    ...colors.map((hex) => nearColor(hex, tolerance)),
  ];
}

/** Beyond so many cells the list costs more than looking at the colours of every screen. */
const MAX_CELLS = 4096;

/**
 * Whether one of the screen's colours is near enough. Cells of the RGB cube that lie wholly within reach decide by
 * themselves; in those at the edge the colours are compared, in the integers that every engine compares.
 */
function nearColor(hex: string, tolerance: number): Query {
  const { inside, boundary } =
    tolerance === 0 ? { inside: [], boundary: [colorCell(hex)] } : expandToCells(hex, tolerance);
  const isNear = colorScript(hex, tolerance);
  if (inside.length + boundary.length > MAX_CELLS) return isNear;
  const edge: Query = { bool: { filter: [inCells(boundary), isNear] } };
  return inside.length === 0 ? edge : { bool: { should: [inCells(inside), edge], minimum_should_match: 1 } };
}

function inCells(cells: readonly number[]): Query {
  return { terms: { cell: cells.map(String) } };
}

/**
 * `isNear` of src/domain/color.ts over the numbers of `packColor`. The text is the same in every question, so that
 * Elasticsearch compiles it once.
 */
const IS_NEAR = `
  for (long packed : doc['color']) {
    long l = (packed >> 34) - params.l;
    long a = ((packed >> 17) & 131071L) - 65536L - params.a;
    long b = (packed & 131071L) - 65536L - params.b;
    if (l * l + a * a + b * b <= params.reach) { return true; }
  }
  return false;
`;

function colorScript(hex: string, tolerance: number): Query {
  const { l, a, b } = labOf(hex);
  return { script: { script: { source: IS_NEAR, params: { l, a, b, reach: squaredReach(tolerance) } } } };
}

/** Half a surrogate pair stands in no document, and Elasticsearch reads no text with one. */
function wellFormed(values: readonly string[]): string[] {
  return values.map((value) => value.toWellFormed());
}
