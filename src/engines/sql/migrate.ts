import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { createLibrary } from './migrations/0001-library.ts';
import { createAccounts } from './migrations/0002-accounts.ts';
import { createOAuth } from './migrations/0003-oauth.ts';
import { createIdentities } from './migrations/0004-identities.ts';

/** Column types that the databases name differently. */
export interface ColumnTypes {
  binary: 'blob' | 'bytea';
}

/**
 * Brings the schema up to date, each migration once, in order. Several processes may start at the same time: the
 * migrator takes a lock.
 */
export async function migrate<T>(db: Kysely<T>, types: ColumnTypes): Promise<void> {
  const migrations: Record<string, Migration> = {
    '0001-library': { up: (schema) => createLibrary(schema, types) },
    '0002-accounts': { up: createAccounts },
    '0003-oauth': { up: createOAuth },
    '0004-identities': { up: createIdentities },
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
