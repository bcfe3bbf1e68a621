import { Kysely } from 'kysely';
import { createGroupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { Tables } from './schema.ts';
import { openSqlite } from './sqlite-dialect.ts';
import { createStores, type SqlStores } from './stores.ts';

/** Opens a SQLite file, created when absent, and brings its schema up to date. */
export async function openSqliteStores(file: string): Promise<SqlStores> {
  const { dialect, database } = openSqlite(file);
  const db = new Kysely<Tables>({ dialect });
  // The migrator takes no lock on SQLite; holding the write lock makes a second process wait until all is done.
  database.exec('BEGIN IMMEDIATE');
  try {
    await migrate(db);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    await db.destroy();
    throw error;
  }
  return createStores(db, createGroupCommit(db));
}
