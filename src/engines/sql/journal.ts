import type { IngestJournal } from '../../ports/ingest-journal.ts';
import type { Database } from './schema.ts';

export function createJournal(db: Database): IngestJournal {
  return {
    async read(sha256) {
      const rows = await db
        .selectFrom('ingest_journal')
        .select(['step', 'result'])
        .where('sha256', '=', sha256)
        .execute();
      return Object.fromEntries(rows.map((row) => [row.step, JSON.parse(row.result) as unknown]));
    },

    async write(sha256, step, result) {
      const value = JSON.stringify(result);
      await db
        .insertInto('ingest_journal')
        .values({ sha256, step, result: value })
        .onConflict((conflict) => conflict.columns(['sha256', 'step']).doUpdateSet({ result: value }))
        .execute();
    },

    async images() {
      const rows = await db.selectFrom('ingest_journal').select('sha256').distinct().execute();
      return rows.map((row) => row.sha256);
    },

    async forget(sha256) {
      await db.deleteFrom('ingest_journal').where('sha256', '=', sha256).execute();
    },
  };
}
