import type { Schemas } from '@qdrant/js-client-rest';
import {
  colorCell,
  DEFAULT_COLOR_TOLERANCE,
  expandToCells,
  isNear,
  labOf,
  squaredReach,
} from '../../domain/color.ts';
import type { ScreenFilter } from '../../domain/query.ts';
import type { VectorPoint } from '../../ports/vector-index.ts';

type Filter = Schemas['Filter'];
type Condition = Schemas['Condition'];

/** A point as it is stored. Its id is the screen's `embeddingId`: Qdrant takes nothing but numbers and UUIDs. */
export function toStoredPoint(point: VectorPoint): Schemas['PointStruct'] {
  const { screenId, version, appId, platform, pattern, colors, vectors } = point;
  const vector: Record<string, number[]> = {};
  for (const [space, values] of Object.entries(vectors)) {
    const unit = values === null ? undefined : normalise(values);
    if (unit !== undefined) vector[space] = unit;
  }
  const colorCells = [...new Set(colors.map((hex) => String(colorCell(hex))))];
  return {
    id: point.embeddingId,
    vector,
    payload: { screenId, version, appId, platform, pattern: [...pattern], colors: [...colors], colorCells },
  };
}

/** Unit length, so that equal directions score exactly alike; undefined for all zeros, which are near to nothing. */
export function normalise(vector: Float32Array): number[] | undefined {
  const length = Math.hypot(...vector);
  return length === 0 ? undefined : Array.from(vector, (value) => value / length);
}

/**
 * Lets an upsert replace only points of lower versions than it brings. Qdrant looks at the points that are there;
 * new ones go in whatever it says.
 */
export function olderThan(points: readonly VectorPoint[]): Filter {
  const byVersion = Map.groupBy(points, ({ version }) => version);
  return {
    should: [...byVersion].map(([version, group]) => ({
      must: [
        { has_id: group.map(({ embeddingId }) => embeddingId) },
        { key: 'version', range: { lt: version } },
      ],
    })),
  };
}

/** A filter for Qdrant. Of colours with a tolerance it lets through a little too much: `colorsMatch` decides. */
export function toStoredFilter(filter: ScreenFilter): Filter {
  const { appId, platform, pattern, colors, colorTolerance, excludeIds, ...rest } = filter;
  rest satisfies Record<string, never>;
  const must: Condition[] = [];
  if (appId !== undefined) must.push({ key: 'appId', match: { value: appId } });
  if (platform !== undefined) must.push({ key: 'platform', match: { value: platform } });
  if (pattern !== undefined) must.push({ key: 'pattern', match: { any: [...pattern] } });
  for (const hex of colors ?? []) must.push(colorCondition(hex, colorTolerance ?? DEFAULT_COLOR_TOLERANCE));
  const excluded: Condition[] =
    excludeIds === undefined || excludeIds.length === 0
      ? []
      : [{ key: 'screenId', match: { any: [...excludeIds] } }];
  return {
    ...(must.length === 0 ? {} : { must }),
    ...(excluded.length === 0 ? {} : { must_not: excluded }),
  };
}

function colorCondition(hex: string, tolerance: number): Condition {
  if (tolerance === 0) return { key: 'colors', match: { value: hex } };
  const { inside, boundary } = expandToCells(hex, tolerance);
  return { key: 'colorCells', match: { any: [...inside, ...boundary].map(String) } };
}

/** The exact rule of the colour filter, for a point that came through `toStoredFilter`; undefined when there is none to apply. */
export function colorsMatch({
  colors = [],
  colorTolerance = DEFAULT_COLOR_TOLERANCE,
}: ScreenFilter): ((stored: readonly string[]) => boolean) | undefined {
  if (colors.length === 0 || colorTolerance === 0) return undefined;
  const reach = squaredReach(colorTolerance);
  const wanted = colors.map(labOf);
  return (stored) => {
    const found = stored.map(labOf);
    return wanted.every((color) => found.some((other) => isNear(color, other, reach)));
  };
}
