import type { Catalogue, IndexTarget, PendingEntry } from '../../ports/catalogue.ts';
import type { Database, Tables } from './schema.ts';

type PendingQueries = Pick<Catalogue, 'pending' | 'takePending' | 'returnPending' | 'settle'>;

export function pendingQueries(db: Database): PendingQueries {
  return {
    async pending(target, limit) {
      const rows = await oldest(db, target).limit(limit).execute();
      return rows.map(toEntry);
    },

    async takePending(target, limit, { now, until }) {
      return db.transaction().execute(async (transaction) => {
        // What another process is taking at this moment is passed over rather than waited for.
        const rows = await oldest(transaction, target)
          .where((where) =>
            where.or([where('taken_until', 'is', null), where('taken_until', '<=', now.toISOString())]),
          )
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute();
        if (rows.length === 0) return [];
        await transaction
          .updateTable('pending_index')
          .set({ taken_until: until.toISOString() })
          .where('target', '=', target)
          .where(
            'screen_id',
            'in',
            rows.map((row) => row.screen_id),
          )
          .execute();
        return rows.map(toEntry);
      });
    },

    async returnPending(entries) {
      await db.transaction().execute(async (transaction) => {
        for (const { target, screenId, version } of inLockingOrder(entries)) {
          await transaction
            .updateTable('pending_index')
            .set({ taken_until: null })
            .where('target', '=', target)
            .where('screen_id', '=', screenId)
            .where('version', '=', version)
            .execute();
        }
      });
    },

    async settle(entries) {
      await db.transaction().execute(async (transaction) => {
        for (const { target, screenId, version } of inLockingOrder(entries)) {
          await transaction
            .deleteFrom('pending_index')
            .where('target', '=', target)
            .where('screen_id', '=', screenId)
            .where('version', '<=', version)
            .execute();
        }
      });
    },
  };
}

function oldest(db: Database, target: IndexTarget) {
  return db
    .selectFrom('pending_index')
    .selectAll()
    .where('target', '=', target)
    .orderBy('version')
    .orderBy('screen_id');
}

/** The order in which writers queue work too, so that two transactions never wait for each other. */
function inLockingOrder(entries: readonly PendingEntry[]): PendingEntry[] {
  return entries.toSorted((a, b) => (a.screenId < b.screenId ? -1 : 1));
}

function toEntry(row: Tables['pending_index']): PendingEntry {
  return { screenId: row.screen_id, target: row.target as IndexTarget, version: row.version };
}
