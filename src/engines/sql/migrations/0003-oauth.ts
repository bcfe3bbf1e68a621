import type { Kysely } from 'kysely';

/** What the authorization server keeps: its grants have an end, and codes and refresh tokens go with them. */
export async function createOAuth(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('expires_at', 'text').execute();
  await db.schema.createIndex('grants_client').on('grants').column('client_id').execute();

  await db.schema
    .createTable('oauth_records')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id_hash', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text', (column) => column.references('grants.id').onDelete('cascade'))
    .addColumn('uid', 'text')
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('consumed_at', 'text')
    .addPrimaryKeyConstraint('oauth_records_key', ['kind', 'id_hash'])
    .execute();
  await db.schema.createIndex('oauth_records_grant').on('oauth_records').column('grant_id').execute();
  await db.schema.createIndex('oauth_records_uid').on('oauth_records').column('uid').execute();
  await db.schema.createIndex('oauth_records_end').on('oauth_records').column('expires_at').execute();

  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute();

  await db.schema
    .createTable('approved_redirect_uris')
    .addColumn('uri', 'text', (column) => column.primaryKey())
    .execute();

  await db.schema
    .createTable('sign_in_sessions')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sign_in_sessions_user').on('sign_in_sessions').column('user_id').execute();
}
