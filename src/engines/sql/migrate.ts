import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { createLibrary } from './migrations/0001-library.ts';
import { createAccounts } from './migrations/0002-accounts.ts';
import { createOAuth } from './migrations/0003-oauth.ts';
import { createIdentities } from './migrations/0004-identities.ts';
import { admitOneSigningKey } from './migrations/0005-one-signing-key.ts';
import { shareIndexWork } from './migrations/0006-shared-index-work.ts';

const MIGRATIONS: Record<string, Migration> = {
  '0001-library': { up: createLibrary },
  '0002-accounts': { up: createAccounts },
  '0003-oauth': { up: createOAuth },
  '0004-identities': { up: createIdentities },
  '0005-one-signing-key': { up: admitOneSigningKey },
  '0006-shared-index-work': { up: shareIndexWork },
};

/**
 * Brings the schema up to date, each migration once, in order. Several processes may start at the same time: the
 * migrator takes a lock.
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
