import type { Accounts, Grants, SigningKeys } from '../../ports/accounts.ts';
import type { Catalogue } from '../../ports/catalogue.ts';
import type { Identities } from '../../ports/identities.ts';
import type { IngestJournal } from '../../ports/ingest-journal.ts';
import type { OAuthStore } from '../../ports/oauth-store.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Snapshot } from '../../ports/snapshot.ts';
import { createAccounts } from './accounts.ts';
import { createCatalogue } from './catalogue.ts';
import { createGrants } from './grants.ts';
import { createTransact, type Transact } from './group-commit.ts';
import { createIdentities } from './identities.ts';
import { createJournal } from './journal.ts';
import { createOAuthStore } from './oauth-store.ts';
import type { Database } from './schema.ts';
import { createSecrets } from './secrets.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createSnapshot } from './snapshot.ts';

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
  snapshot: Snapshot;
  close(): Promise<void>;
}

/**
 * The stores of a database whose schema is up to date; closing them closes it.
 * @param transact how the transactions run that many clients cause at the same time
 */
export function createStores(db: Database, transact: Transact = createTransact(db)): SqlStores {
  return {
    catalogue: createCatalogue(db),
    journal: createJournal(db),
    accounts: createAccounts(db),
    identities: createIdentities(db),
    grants: createGrants(db),
    signingKeys: createSigningKeys(db),
    secrets: createSecrets(db),
    oauth: createOAuthStore(db, transact),
    snapshot: createSnapshot(db),
    close: () => db.destroy(),
  };
}
