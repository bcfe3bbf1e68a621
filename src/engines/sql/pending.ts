import { sql } from 'kysely';
import type { Catalogue, IndexTarget } from '../../ports/catalogue.ts';
import type { Database } from './schema.ts';

type PendingQueries = Pick<Catalogue, 'pending' | 'settle' | 'queueAll'>;

export function pendingQueries(db: Database): PendingQueries {
  return {
    async pending(target, limit) {
      const rows = await db
        .selectFrom('pending_index')
        .selectAll()
        .where('target', '=', target)
        .orderBy('version')
        .orderBy('screen_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        screenId: row.screen_id,
        target: row.target as IndexTarget,
        version: row.version,
      }));
    },

    async settle(entries) {
      const ordered = entries.toSorted((a, b) => (a.screenId < b.screenId ? -1 : 1));
      await db.transaction().execute(async (transaction) => {
        for (const { target, screenId, version } of ordered) {
          await transaction
            .deleteFrom('pending_index')
            .where('target', '=', target)
            .where('screen_id', '=', screenId)
            .where('version', '<=', version)
            .execute();
        }
      });
    },

    async queueAll(target) {
      await db
        .insertInto('pending_index')
        .columns(['target', 'screen_id', 'version'])
        .expression(
          db
            .selectFrom('screens')
            .select((select) => [select.val<string>(target).as('target'), 'id', 'version'])
            // Without a condition SQLite takes the ON of ON CONFLICT for that of a join.
            .where(sql<boolean>`true`),
        )
        .onConflict((conflict) => conflict.columns(['target', 'screen_id']).doNothing())
        .execute();
    },
  };
}
