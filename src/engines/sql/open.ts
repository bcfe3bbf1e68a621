import { Kysely } from 'kysely';
import type { Accounts, Grants, SigningKeys } from '../../ports/accounts.ts';
import type { Catalogue } from '../../ports/catalogue.ts';
import type { Identities } from '../../ports/identities.ts';
import type { IngestJournal } from '../../ports/ingest-journal.ts';
import type { OAuthStore } from '../../ports/oauth-store.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { createAccounts } from './accounts.ts';
import { createCatalogue } from './catalogue.ts';
import { openSqlite } from './dialect.ts';
import { createGrants } from './grants.ts';
import { createIdentities } from './identities.ts';
import { createJournal } from './journal.ts';
import { migrate } from './migrate.ts';
import { createOAuthStore } from './oauth-store.ts';
import type { Tables } from './schema.ts';
import { createSecrets } from './secrets.ts';
import { createSigningKeys } from './signing-keys.ts';

/** Everything that is precious, in one database. */
export interface SqlStores {
  catalogue: Catalogue;
  journal: IngestJournal;
  accounts: Accounts;
  identities: Identities;
  grants: Grants;
  signingKeys: SigningKeys;
  secrets: Secrets;
  oauth: OAuthStore;
  close(): Promise<void>;
}

/** Opens a SQLite file, created when absent, and brings its schema up to date. */
export async function openSqliteStores(file: string): Promise<SqlStores> {
  const { dialect, database } = openSqlite(file);
  const db = new Kysely<Tables>({ dialect });
  // The migrator takes no lock on SQLite; holding the write lock makes a second process wait until all is done.
  database.exec('BEGIN IMMEDIATE');
  try {
    await migrate(db, { binary: 'blob' });
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    await db.destroy();
    throw error;
  }
  return {
    catalogue: createCatalogue(db),
    journal: createJournal(db),
    accounts: createAccounts(db),
    identities: createIdentities(db),
    grants: createGrants(db),
    signingKeys: createSigningKeys(db),
    secrets: createSecrets(db),
    oauth: createOAuthStore(db),
    close: () => db.destroy(),
  };
}
