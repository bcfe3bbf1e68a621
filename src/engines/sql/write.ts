import { sql } from 'kysely';
import { InvalidArgumentError } from '../../domain/errors.ts';
import type { FlowRecord, ScreenRecord } from '../../domain/screen.ts';
import { INDEX_TARGETS, type CatalogueChange } from '../../ports/catalogue.ts';
import { toScreenRow } from './rows.ts';
import type { Database } from './schema.ts';

/** Rows in one statement: 20 columns each must stay below SQLite's 32,766 parameters. */
const ROWS_PER_STATEMENT = 500;

/** Writes a change inside a transaction, with the index work that it causes. */
export async function saveChange(db: Database, change: CatalogueChange): Promise<void> {
  const { apps = [], screens = [], flows = [], nearDuplicates = [] } = change;
  const version = await raiseRevision(db);

  for (const app of apps) {
    await db
      .insertInto('apps')
      .values(app)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: app.name }))
      .execute();
  }
  for (let start = 0; start < screens.length; start += ROWS_PER_STATEMENT) {
    const batch = screens.slice(start, start + ROWS_PER_STATEMENT);
    await unlinkRenewed(db, batch);
    await db
      .insertInto('screens')
      .values(batch.map((record) => toScreenRow(record, version)))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          app_id: ref('excluded.app_id'),
          platform: ref('excluded.platform'),
          pattern: ref('excluded.pattern'),
          sha256: ref('excluded.sha256'),
          format: ref('excluded.format'),
          bytes: ref('excluded.bytes'),
          original_key: ref('excluded.original_key'),
          image_key: ref('excluded.image_key'),
          thumb_key: ref('excluded.thumb_key'),
          width: ref('excluded.width'),
          height: ref('excluded.height'),
          colors: ref('excluded.colors'),
          caption: ref('excluded.caption'),
          ocr_text: ref('excluded.ocr_text'),
          phash: ref('excluded.phash'),
          embedding_id: ref('excluded.embedding_id'),
          layout: ref('excluded.layout'),
          captured_at: ref('excluded.captured_at'),
          version: ref('excluded.version'),
        })),
      )
      .execute();
  }
  for (const flow of flows) await saveFlow(db, flow);
  for (const link of nearDuplicates) {
    await db
      .insertInto('near_duplicates')
      .values({ screen_id: link.screenId, other_id: link.otherId, kind: link.kind })
      .onConflict((conflict) => conflict.columns(['screen_id', 'other_id']).doUpdateSet({ kind: link.kind }))
      .execute();
  }
  // What is embedded of a screen names its flows, so a flow's screens are indexed anew as well.
  const touched = new Set([
    ...screens.map((screen) => screen.id),
    ...flows.flatMap((flow) => flow.screenIds),
  ]);
  await stamp(db, [...touched], version);
  await queue(db, [...touched], version);
}

/** Removes screens inside a transaction; links and places in flows go with them by foreign key. */
export async function removeScreens(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const version = await raiseRevision(db);
  for (const batch of batches(ids)) await db.deleteFrom('screens').where('id', 'in', batch).execute();
  await queue(db, ids, version);
}

async function saveFlow(db: Database, flow: FlowRecord): Promise<void> {
  const refuse = (detail: string) => new InvalidArgumentError([{ parameter: 'screenIds', detail }]);
  if (flow.screenIds.length === 0) throw refuse(`The flow "${flow.id}" names no screen.`);
  const known = await db.selectFrom('screens').select('id').where('id', 'in', flow.screenIds).execute();
  const knownIds = new Set(known.map((row) => row.id));
  const unknown = flow.screenIds.filter((id) => !knownIds.has(id));
  if (unknown.length > 0) {
    throw refuse(`The flow "${flow.id}" names unknown screens: ${unknown.join(', ')}.`);
  }
  const columns = {
    app_id: flow.appId,
    type: flow.type,
    name: flow.name,
    description: flow.description ?? null,
    captured_at: flow.capturedAt,
  };
  await db
    .insertInto('flows')
    .values({ id: flow.id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  await db.deleteFrom('flow_screens').where('flow_id', '=', flow.id).execute();
  await db
    .insertInto('flow_screens')
    .values(flow.screenIds.map((screenId, position) => ({ flow_id: flow.id, position, screen_id: screenId })))
    .execute();
}

/** A screen that shows another picture than before is no near-duplicate of what it was one of. */
async function unlinkRenewed(db: Database, screens: readonly ScreenRecord[]): Promise<void> {
  const hashes = new Map(screens.map((screen) => [screen.id, screen.sha256]));
  const stored = await db
    .selectFrom('screens')
    .select(['id', 'sha256'])
    .where('id', 'in', [...hashes.keys()])
    .execute();
  const renewed = stored.filter(({ id, sha256 }) => hashes.get(id) !== sha256).map(({ id }) => id);
  if (renewed.length === 0) return;
  await db
    .deleteFrom('near_duplicates')
    .where((where) => where.or([where('screen_id', 'in', renewed), where('other_id', 'in', renewed)]))
    .execute();
}

/** Being the first statement, it also makes concurrent writers of Postgres wait for one another. */
async function raiseRevision(db: Database): Promise<number> {
  const row = await db
    .insertInto('library_revision')
    .values({ id: 1, value: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ value: sql<number>`library_revision.value + 1` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

async function stamp(db: Database, ids: readonly string[], version: number): Promise<void> {
  for (const batch of batches(ids)) {
    await db.updateTable('screens').set({ version }).where('id', 'in', batch).execute();
  }
}

/** In the order of ids, as settling locks them too, so that neither waits for ever for the other. */
async function queue(db: Database, ids: readonly string[], version: number): Promise<void> {
  for (const batch of batches(ids.toSorted())) {
    await db
      .insertInto('pending_index')
      .values(
        INDEX_TARGETS.flatMap((target) =>
          batch.map((id) => ({ target, screen_id: id, version, taken_until: null })),
        ),
      )
      .onConflict((conflict) =>
        conflict.columns(['target', 'screen_id']).doUpdateSet({ version, taken_until: null }),
      )
      .execute();
  }
}

function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
    yield ids.slice(start, start + ROWS_PER_STATEMENT);
  }
}
