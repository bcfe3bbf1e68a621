import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';
import type { VectorPoint, VectorSpaces } from '../../ports/vector-index.ts';

const BUSY_TIMEOUT_MS = 10_000;
const SCHEMA_VERSION = 1;

/*
 * A point that was removed stays as a row without vectors, so that other processes learn of it. `revision` rises with
 * every transaction; who has read up to one asks for those above it.
 */
const TABLES = `
  CREATE TABLE spaces (value TEXT NOT NULL);
  CREATE TABLE revision (value INTEGER NOT NULL);
  INSERT INTO revision VALUES (0);
  CREATE TABLE point (
    screen_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    version INTEGER NOT NULL,
    payload TEXT NOT NULL,
    text BLOB,
    visual BLOB
  );
  CREATE INDEX point_by_revision ON point (revision);
`;

/** What filters need of a point. */
export type Payload = Pick<VectorPoint, 'appId' | 'platform' | 'pattern' | 'colors'>;

/** Opens the file, or makes it. Throws EngineUnavailableError when it cannot be opened. */
export function openDatabase(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // FULL: the catalogue forgets pending work as soon as it is written here, so a power cut must not undo it.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    inTransaction(database, () => {
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] === SCHEMA_VERSION) return;
      for (const table of ['spaces', 'revision', 'point']) database.exec(`DROP TABLE IF EXISTS ${table}`);
      database.exec(TABLES);
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
    return database;
  } catch (error) {
    throw new EngineUnavailableError('The vector index', { cause: error });
  }
}

/** Runs `work` in one transaction: all of it is committed, or, when it throws, nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Makes sure that the stored vectors are of these spaces. An empty index takes them over.
 * Throws ConfigurationError when there are vectors of others.
 */
export function claimSpaces(database: DatabaseSync, spaces: VectorSpaces): void {
  inTransaction(database, () => {
    const holdsVectors =
      database.prepare('SELECT 1 FROM point WHERE NOT removed LIMIT 1').get() !== undefined;
    if (holdsVectors) return requireSpaces(database, spaces);
    database.exec('DELETE FROM spaces');
    database.prepare('INSERT INTO spaces VALUES (?)').run(JSON.stringify(spaces));
  });
}

/** Throws ConfigurationError when the index is of other spaces, as it may have become while it was empty. */
export function requireSpaces(database: DatabaseSync, spaces: VectorSpaces): void {
  const stored = String(database.prepare('SELECT value FROM spaces').get()?.['value']);
  if (stored === JSON.stringify(spaces)) return;
  const { modelId } = JSON.parse(stored) as VectorSpaces;
  throw new ConfigurationError(
    `The stored vectors were made by the embedding model ${modelId}, and the model is ${spaces.modelId} now. Run: npm run reindex -- --vectors`,
  );
}

/** Counts up, and tells the revision of the transaction under way. */
export function nextRevision(database: DatabaseSync): number {
  return Number(database.prepare('UPDATE revision SET value = value + 1 RETURNING value').get()?.['value']);
}
