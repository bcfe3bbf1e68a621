import { sql, type Kysely } from 'kysely';

/** Of each algorithm one key at most signs without an end, whatever two processes do at once. */
export async function admitOneSigningKey(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('signing_keys_current')
    .unique()
    .on('signing_keys')
    .column('alg')
    .where(sql.ref('retired_at'), 'is', null)
    .execute();
}
