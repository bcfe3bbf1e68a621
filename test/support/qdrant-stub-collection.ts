import { randomUUID } from 'node:crypto';

/** An answer that is no success, in Qdrant's words. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the stub was asked that was never recorded. No answer may be invented for it. */
export class Unrecorded extends Error {}

type Json = Record<string, unknown>;

interface StoredPoint {
  id: string;
  /** The operation that wrote it. */
  version: number;
  vectors: Record<string, Float32Array>;
  payload: Json;
}

export interface NewCollection {
  vectors: Record<string, { size: number; distance: string }>;
  metadata?: Json;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One collection in memory: real vectors, really compared. */
export function createCollection({ vectors: spaces, metadata = {} }: NewCollection) {
  const points = new Map<string, StoredPoint>();
  const indexed: Record<string, string> = {};
  let operation = 1;

  function readVectors(vector: unknown): Record<string, Float32Array> {
    const read: Record<string, Float32Array> = {};
    for (const [name, values] of Object.entries(vector as Record<string, number[]>)) {
      read[name] = unit(checkSize(name, values));
    }
    return read;
  }

  function checkSize(name: string, values: number[]): number[] {
    const space = spaces[name];
    if (space === undefined) throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`);
    if (values.length === space.size) return values;
    throw new Refusal(
      400,
      `Wrong input: Vector dimension error: expected dim: ${space.size}, got ${values.length} for vector '${name}'`,
    );
  }

  const ordered = () => [...points.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const passing = (filter: unknown) => ordered().filter((point) => passes(point, filter as Json | undefined));

  function completed() {
    return { operation_id: operation, status: 'completed' };
  }

  return {
    describe: () => ({
      points_count: points.size,
      config: { params: { vectors: spaces }, metadata },
      payload_schema: indexed,
    }),
    index(field: string, schema: string) {
      operation += 2;
      indexed[field] = schema;
      return completed();
    },
    upsert(given: { id: unknown; vector: unknown; payload?: Json }[], updateFilter?: Json) {
      const read = given.map(({ id, vector, payload = {} }) => {
        if (typeof id !== 'string' || !UUID.test(id))
          throw new Refusal(
            400,
            `Format error in JSON body: value ${String(id)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
          );
        return { id, vectors: readVectors(vector), payload };
      });
      operation += 1;
      for (const point of read) {
        const stored = points.get(point.id);
        if (stored !== undefined && updateFilter !== undefined && !passes(stored, updateFilter)) continue;
        points.set(point.id, { ...point, version: operation });
      }
      return completed();
    },
    remove(ids: readonly string[] | undefined, filter: unknown) {
      operation += 1;
      for (const id of ids ?? passing(filter).map((point) => point.id)) points.delete(id);
      return completed();
    },
    retrieve: (ids: readonly string[]) =>
      ids.flatMap((id) => points.get(id) ?? []).map((point) => show(point, true, true)),
    count: (filter: unknown) => ({ count: passing(filter).length }),
    scroll(body: Json) {
      const all = passing(body['filter']).filter(
        ({ id }) => id >= ((body['offset'] as string | undefined) ?? ''),
      );
      const page = all.slice(0, Number(body['limit']));
      return {
        points: page.map((point) => show(point, body['with_payload'], body['with_vector'])),
        next_page_offset: all[page.length]?.id ?? null,
      };
    },
    query(body: Json) {
      const using = String(body['using']);
      const target = targetOf(body['query'], using);
      const excluded = typeof body['query'] === 'string' ? body['query'] : '';
      const found = passing(body['filter'])
        .filter(({ id, vectors }) => id !== excluded && vectors[using] !== undefined)
        .map((point) => ({ point, score: product(point.vectors[using]!, target) }))
        .filter(({ score }) => score >= Number(body['score_threshold'] ?? -Infinity))
        // Which of equal scores comes first, Qdrant leaves open: here it is any.
        .toSorted((a, b) => b.score - a.score || (randomUUID() < randomUUID() ? -1 : 1));
      const offset = Number(body['offset'] ?? 0);
      const page = found.slice(offset, offset + Number(body['limit']));
      return {
        points: page.map(({ point, score }) => {
          const { id, payload } = show(point, body['with_payload'], false);
          return { id, version: point.version, score, ...(payload === undefined ? {} : { payload }) };
        }),
      };
    },
  };

  function targetOf(query: unknown, using: string): Float32Array {
    if (Array.isArray(query)) return unit(checkSize(using, query as number[]));
    const stored = points.get(String(query));
    if (stored === undefined) throw new Refusal(404, `Not found: No point with id ${String(query)} found`);
    return stored.vectors[using] ?? new Float32Array(spaces[using]?.size ?? 0);
  }
}

function show(point: StoredPoint, withPayload: unknown, withVector: unknown): { id: string; payload?: Json } {
  const names = Array.isArray(withPayload) ? (withPayload as string[]) : Object.keys(point.payload);
  const payload = Object.fromEntries(
    names.filter((name) => name in point.payload).map((name) => [name, point.payload[name]]),
  );
  const vector = Object.fromEntries(
    Object.entries(point.vectors).map(([name, values]) => [name, Array.from(values)]),
  );
  return {
    id: point.id,
    ...(withPayload === undefined ? {} : { payload }),
    ...(withVector === true ? { vector } : {}),
  };
}

/** The conditions that were recorded, and of the published API those of an update filter: `should`, nested, `lt`. */
function passes(point: StoredPoint, filter: Json | undefined): boolean {
  const { must = [], must_not = [], should = [], ...rest } = filter ?? {};
  refuseOthers(rest, 'filter');
  const [all, none, any] = [must, must_not, should].map((conditions) => conditions as Json[]);
  return (
    all!.every((condition) => holds(point, condition)) &&
    !none!.some((condition) => holds(point, condition)) &&
    (any!.length === 0 || any!.some((condition) => holds(point, condition)))
  );
}

function holds(point: StoredPoint, condition: Json): boolean {
  if ('must' in condition) return passes(point, condition);
  const { key, match, has_id, range, ...rest } = condition;
  refuseOthers(rest, 'condition');
  if (has_id !== undefined) return (has_id as string[]).includes(point.id);
  const value = point.payload[String(key)];
  const values = (Array.isArray(value) ? value : [value]) as unknown[];
  if (range !== undefined) {
    const { lt, ...others } = range as Json;
    refuseOthers(others, 'range');
    return values.some((one) => Number(one) < Number(lt));
  }
  const { value: wanted, any, ...others } = match as Json;
  refuseOthers(others, 'match');
  const accepted = any === undefined ? [wanted] : (any as unknown[]);
  return values.some((one) => accepted.includes(one));
}

/** Throws Unrecorded when anything is left that the stub does not know. */
export function refuseOthers(rest: Json, where: string): void {
  const names = Object.keys(rest).filter((name) => rest[name] !== undefined);
  if (names.length > 0) throw new Unrecorded(`${where}: ${names.join(', ')}`);
}

/** Qdrant keeps vectors of a cosine space normalised, as 32-bit numbers. */
function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [place, value] of one.entries()) sum += value * other[place]!;
  return Math.fround(sum);
}
