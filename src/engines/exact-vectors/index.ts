import type { DatabaseSync } from 'node:sqlite';
import { EngineUnavailableError, InvalidArgumentError } from '../../domain/errors.ts';
import type {
  VectorIndex,
  VectorListing,
  VectorPoint,
  VectorSpace,
  VectorSpaces,
} from '../../ports/vector-index.ts';
import {
  claimSpaces,
  inTransaction,
  nextRevision,
  openDatabase,
  requireSpaces,
  type Payload,
} from './database.ts';
import { blobOf, bytesOf, floatsOf, normalise, toBytes } from './encoding.ts';
import { createScanner } from './scanner.ts';

/**
 * Exact nearest neighbours: vectors in one SQLite file, made when it is not there, and in the memory of a worker that
 * compares them all. Several processes may read and write the file at once.
 * Throws ConfigurationError when it holds vectors of other spaces.
 */
export async function createExactVectors({
  file,
  spaces,
}: {
  file: string;
  spaces: VectorSpaces;
}): Promise<VectorIndex> {
  const database = openDatabase(file);
  try {
    claimSpaces(database, spaces);
  } catch (error) {
    database.close();
    throw error;
  }
  const scanner = createScanner({ file, spaces });
  const write = prepareWrites(database, spaces);

  function requireSize(space: VectorSpace, vector: Float32Array): void {
    const size = spaces.sizes[space];
    if (vector.length === size) return;
    const detail = `A vector of the space ${space} has ${size} numbers; this one has ${vector.length}.`;
    throw new InvalidArgumentError([{ parameter: 'vector', detail }]);
  }

  return {
    upsert: async (points) => {
      for (const { vectors } of points) {
        if (vectors.text !== null) requireSize('text', vectors.text);
        if (vectors.visual !== null) requireSize('visual', vectors.visual);
      }
      attempt(() => write.upsert(points));
    },
    remove: async (screenIds) => attempt(() => write.remove(screenIds)),
    query: async (query) => {
      requireSize(query.space, query.vector);
      attempt(() => requireSpaces(database, spaces));
      return scanner.ask(query);
    },
    vector: async (screenId, space) => attempt(() => storedVector(database, screenId, space)),
    count: async () =>
      attempt(() =>
        Number(database.prepare('SELECT count(*) AS n FROM point WHERE NOT removed').get()?.['n']),
      ),
    list: async (after, limit) => attempt(() => listPoints(database, after, limit)),
    close: async () => {
      await scanner.close();
      if (database.isOpen) database.close();
    },
  };
}

/** Whatever SQLite complains of (locked, full, gone, damaged), the index cannot be asked now. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_SQLITE_ERROR' && code !== 'ERR_INVALID_STATE') throw error;
    throw new EngineUnavailableError('The vector index', { cause: error });
  }
}

function prepareWrites(database: DatabaseSync, spaces: VectorSpaces) {
  const upsertPoint = database.prepare(`
    INSERT INTO point VALUES (?, ?, 0, ?, ?, ?, ?)
    ON CONFLICT (screen_id) DO UPDATE SET
      revision = excluded.revision, removed = 0, version = excluded.version,
      payload = excluded.payload, text = excluded.text, visual = excluded.visual
    WHERE point.removed OR excluded.version > point.version
  `);
  const removePoint = database.prepare(
    'UPDATE point SET revision = ?, removed = 1, version = 0, text = NULL, visual = NULL WHERE screen_id = ? AND NOT removed',
  );
  return {
    upsert(points: readonly VectorPoint[]): void {
      inTransaction(database, () => {
        requireSpaces(database, spaces);
        const revision = nextRevision(database);
        for (const { screenId, version, vectors, appId, platform, pattern, colors } of points) {
          const payload: Payload = { appId, platform, pattern, colors };
          const text = vectors.text === null ? null : blobOf(normalise(vectors.text));
          const visual = vectors.visual === null ? null : blobOf(toBytes(vectors.visual));
          upsertPoint.run(screenId, revision, version, JSON.stringify(payload), text, visual);
        }
      });
    },
    remove(screenIds: readonly string[]): void {
      inTransaction(database, () => {
        const revision = nextRevision(database);
        for (const screenId of screenIds) removePoint.run(revision, screenId);
      });
    },
  };
}

function storedVector(
  database: DatabaseSync,
  screenId: string,
  space: VectorSpace,
): Float32Array | undefined {
  const blob = database.prepare(`SELECT ${space} AS blob FROM point WHERE screen_id = ?`).get(screenId)?.[
    'blob'
  ];
  if (!(blob instanceof Uint8Array)) return undefined;
  return normalise(space === 'text' ? floatsOf(blob) : Float32Array.from(bytesOf(blob)));
}

function listPoints(database: DatabaseSync, after: string | undefined, limit: number): VectorListing {
  const entries = database
    .prepare(
      'SELECT screen_id, version FROM point WHERE NOT removed AND screen_id > ? ORDER BY screen_id LIMIT ?',
    )
    .all(after ?? '', limit)
    .map((row) => ({ id: String(row['screen_id']), version: Number(row['version']) }));
  return { entries, next: entries.length < limit ? undefined : entries.at(-1)?.id };
}
