import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';
import { ANALYSIS_VERSION } from '../../domain/text.ts';

/** Raise it with every change of the tables below or of what is written into them. */
const SCHEMA_VERSION = 1;
/** What the file says of itself: an index of other tables or another reading of text is not this one. */
export const INDEX_VERSION = SCHEMA_VERSION * 1000 + ANALYSIS_VERSION;

/**
 * A screen's slot is its capture time in whole seconds × 2^SLOT_BITS plus a number of its own, so that descending slots
 * are newest first, from the row itself and from every index that ends in it. A million screens fit one second.
 */
export const SLOT_BITS = 20;

/** How long a write waits for another process's write. */
const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 16_384;
const MAP_BYTES = 268_435_456;

/*
 * screen_text keeps no copy of the text (content=''): only postings. Both columns hold tokens that are ready split,
 * between spaces; among ASCII only letters, digits, + and # occur in them (c++, c#), and all else counts as a letter.
 * vocabulary lists the words of screen_text.word, for spelling; its ids are never used twice, so that a reader knows
 * what is new to it. A word outlives its last screen: it then finds nothing.
 */
const TABLES = `
  CREATE TABLE screen (
    slot INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    app_id TEXT NOT NULL,
    platform TEXT NOT NULL,
    captured_at TEXT NOT NULL
  );
  CREATE INDEX screen_by_app ON screen (app_id);
  CREATE INDEX screen_by_platform ON screen (platform);

  CREATE TABLE screen_pattern (
    slot INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    PRIMARY KEY (slot, pattern)
  ) WITHOUT ROWID;
  CREATE INDEX screen_by_pattern ON screen_pattern (pattern, slot);

  CREATE TABLE screen_color (
    slot INTEGER NOT NULL,
    l INTEGER NOT NULL,
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    PRIMARY KEY (slot, l, a, b)
  ) WITHOUT ROWID;
  CREATE INDEX screen_by_cell ON screen_color (cell, slot, l, a, b);

  CREATE VIRTUAL TABLE screen_text USING fts5 (
    word, stem,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '+#'",
    prefix = '2 3'
  );

  CREATE TABLE vocabulary (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    word TEXT NOT NULL UNIQUE
  );
`;
const TABLE_NAMES = ['screen', 'screen_pattern', 'screen_color', 'screen_text', 'vocabulary'];

/**
 * Opens the file, or makes it. An index of another version is emptied and made anew, so that it counts no screens
 * and its keeper fills it again.
 * Throws ConfigurationError when the file is something else than a SQLite database, EngineUnavailableError when it
 * cannot be opened.
 */
export function openDatabase(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // FULL: the catalogue forgets pending work as soon as it is written here, so a power cut must not undo it.
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA mmap_size = ${MAP_BYTES};
    `);
    inTransaction(database, 'IMMEDIATE', () => makeTables(database));
    return database;
  } catch (error) {
    if (isNoDatabase(error)) {
      throw new ConfigurationError(
        `${file} is not a search index. Move it away and run \`npm run reindex -- --text\`.`,
        { cause: error },
      );
    }
    throw new EngineUnavailableError('The search index', { cause: error });
  }
}

/** Runs `work` in one transaction: all of it is committed, or, when it throws, nothing. */
export function inTransaction<T>(database: DatabaseSync, mode: 'DEFERRED' | 'IMMEDIATE', work: () => T): T {
  database.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function makeTables(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (found === INDEX_VERSION) return;
  for (const name of TABLE_NAMES) database.exec(`DROP TABLE IF EXISTS ${name}`);
  database.exec(TABLES);
  database.exec(`PRAGMA user_version = ${INDEX_VERSION}`);
}

function isNoDatabase(error: unknown): boolean {
  const SQLITE_NOTADB = 26;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_NOTADB;
}
