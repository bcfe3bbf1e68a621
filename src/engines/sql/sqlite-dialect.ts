import { DatabaseSync } from 'node:sqlite';
import {
  SqliteDialect,
  SqliteQueryCompiler,
  type SelectModifierNode,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** Other processes (an ingest beside a running server) hold the write lock for milliseconds; wait rather than fail. */
const BUSY_TIMEOUT_MS = 15_000;
/** More than this service has; those with lists of values come in many lengths. */
const MAX_PREPARED_STATEMENTS = 500;

class Compiler extends SqliteQueryCompiler {
  /** Row locks (`for update`) are left out: a transaction here is the only one that writes, from its beginning. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): Compiler {
    return new Compiler();
  }
}

/**
 * Opens a SQLite file with the settings the catalogue needs: WAL, so that readers never wait for a writer, and
 * `synchronous=FULL`, so that what was committed survives a power cut (for rotations open-sqlite.ts asks for less).
 * @param file path of the database, created when absent
 */
export function openSqlite(file: string): { dialect: SqliteDialect; database: DatabaseSync } {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  return { dialect: new Dialect({ database: adapt(database) }), database };
}

/** Kysely speaks to better-sqlite3; node:sqlite differs in a few names. */
function adapt(database: DatabaseSync): SqliteDatabase {
  // Kysely has every statement prepared anew, which takes as long as running it.
  const prepared = new LRUCache<string, SqliteStatement>({ max: MAX_PREPARED_STATEMENTS });

  function prepare(sql: string): SqliteStatement {
    // A deferred transaction that reads first and writes later fails at once when another process wrote in
    // between, whatever the busy timeout; one that takes the write lock first waits for it.
    const text = sql === 'begin' ? 'begin immediate' : sql;
    const statement = database.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...bind(parameters)),
      run: (parameters) => statement.run(...bind(parameters)),
      // Rows are taken from it one by one, so nobody else may run it meanwhile.
      iterate: (parameters) => database.prepare(text).iterate(...bind(parameters)),
    };
  }

  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = prepare(sql);
      prepared.set(sql, statement);
      return statement;
    },
  };
}

type SqliteValue = null | number | bigint | string | Uint8Array;

function bind(parameters: readonly unknown[]): SqliteValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SqliteValue)));
}
