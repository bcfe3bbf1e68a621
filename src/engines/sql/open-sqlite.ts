import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { createGroupCommit, type Transact } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { Database, Tables } from './schema.ts';
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
  return createStores(db, createGroupCommit(rotations(db, database)));
}

/**
 * Transactions of refresh tokens, which do not wait until the disk has them. What is committed outlives this process
 * however it ends, but a power cut may take back the last of them, in their order: those clients hold a token that is not
 * known any more, and their users sign in again. Every other transaction waits, and takes those before it to the disk.
 */
function rotations(db: Database, database: DatabaseSync): Transact {
  return (work) =>
    db.connection().execute(async (connection) => {
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        return await connection.transaction().execute(work);
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    });
}
