import { Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import type { Tables } from './schema.ts';
import { createStores, type SqlStores } from './stores.ts';

/**
 * Opens a Postgres database and brings its schema up to date; of several processes that start at once one does it and
 * the others wait.
 * Throws ConfigurationError where the database does not let us in, EngineUnavailableError where it cannot be reached.
 * @param url `postgres://user:password@host:5432/database`
 */
export async function openPostgresStores(url: string): Promise<SqlStores> {
  const migrating = new Kysely<Tables>({ dialect: createPostgresDialect(url, 'migrations') });
  try {
    await migrate(migrating);
  } finally {
    await migrating.destroy();
  }
  return createStores(new Kysely<Tables>({ dialect: createPostgresDialect(url, 'service') }));
}
