import type { Catalogue, VersionedScreen } from '../../ports/catalogue.ts';
import { flowQueries } from './flows.ts';
import { pendingQueries } from './pending.ts';
import { toScreenRecord } from './rows.ts';
import type { Database } from './schema.ts';
import { removeScreens, saveChange } from './write.ts';

/** Databases limit the parameters of one statement (SQLite: 32,766, Postgres: 65,535). */
const MAX_IDS_PER_QUERY = 5000;

export function createCatalogue(db: Database): Catalogue {
  async function versionedScreens(ids: readonly string[]): Promise<VersionedScreen[]> {
    const found = new Map<string, VersionedScreen>();
    for (let start = 0; start < ids.length; start += MAX_IDS_PER_QUERY) {
      const rows = await db
        .selectFrom('screens')
        .selectAll()
        .where('id', 'in', ids.slice(start, start + MAX_IDS_PER_QUERY))
        .execute();
      for (const row of rows) found.set(row.id, { record: toScreenRecord(row), version: row.version });
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  return {
    async screen(id) {
      const row = await db.selectFrom('screens').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toScreenRecord(row);
    },

    async screens(ids) {
      return (await versionedScreens(ids)).map(({ record }) => record);
    },

    versionedScreens,
    ...flowQueries(db),
    ...pendingQueries(db),

    apps: () => db.selectFrom('apps').selectAll().orderBy('id').execute(),
    save: (change) => db.transaction().execute((transaction) => saveChange(transaction, change)),
    removeScreens: (ids) => db.transaction().execute((transaction) => removeScreens(transaction, ids)),

    async nearDuplicates(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('near_duplicates')
        .selectAll()
        .where((where) => where.or([where('screen_id', 'in', ids), where('other_id', 'in', ids)]))
        .orderBy('screen_id')
        .orderBy('other_id')
        .execute();
      return rows.map((row) => ({ screenId: row.screen_id, otherId: row.other_id, kind: row.kind }));
    },

    async fingerprints() {
      const rows = await db.selectFrom('screens').select(['id', 'sha256', 'phash']).orderBy('id').execute();
      return rows.map(({ id, sha256, phash }) => ({
        id,
        sha256,
        ...(phash === null ? {} : { pHash: phash }),
      }));
    },

    async revision() {
      const row = await db
        .selectFrom('library_revision')
        .select('value')
        .where('id', '=', 1)
        .executeTakeFirst();
      return row?.value ?? 0;
    },

    async list(after, limit) {
      const rows = await db
        .selectFrom('screens')
        .select(['id', 'version'])
        .$if(after !== undefined, (query) => query.where('id', '>', after!))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, version }) => ({ id, version }));
    },

    async countScreens() {
      const row = await db
        .selectFrom('screens')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async imageKeys() {
      const rows = await db
        .selectFrom('screens')
        .select(['original_key', 'image_key', 'thumb_key'])
        .execute();
      return rows.flatMap((row) => [row.original_key, row.image_key, row.thumb_key]);
    },
  };
}
