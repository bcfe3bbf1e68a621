import type { Kysely } from 'kysely';

/** Several processes share the index work: what one has taken is its own until then. */
export async function shareIndexWork(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('pending_index').addColumn('taken_until', 'text').execute();
}
