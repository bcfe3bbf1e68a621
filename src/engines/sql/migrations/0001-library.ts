import type { Kysely } from 'kysely';

/** Apps, screens, flows, and what ingest and the indexes need to follow them. */
export async function createLibrary(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('apps')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('screens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('app_id', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('pattern', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('original_key', 'text', (column) => column.notNull())
    .addColumn('image_key', 'text', (column) => column.notNull())
    .addColumn('thumb_key', 'text', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('colors', 'text', (column) => column.notNull())
    .addColumn('caption', 'text')
    .addColumn('ocr_text', 'text')
    .addColumn('phash', 'text')
    .addColumn('embedding_id', 'text')
    .addColumn('layout', 'blob')
    .addColumn('captured_at', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('screens_sha256').on('screens').column('sha256').execute();

  await db.schema
    .createTable('flows')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('app_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('captured_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('flows_newest').on('flows').columns(['captured_at desc', 'id']).execute();

  await db.schema
    .createTable('flow_screens')
    .addColumn('flow_id', 'text', (column) => column.notNull().references('flows.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('screen_id', 'text', (column) => column.notNull().references('screens.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('flow_screens_key', ['flow_id', 'position'])
    .execute();
  await db.schema.createIndex('flow_screens_screen').on('flow_screens').column('screen_id').execute();

  await db.schema
    .createTable('near_duplicates')
    .addColumn('screen_id', 'text', (column) => column.notNull().references('screens.id').onDelete('cascade'))
    .addColumn('other_id', 'text', (column) => column.notNull().references('screens.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('near_duplicates_key', ['screen_id', 'other_id'])
    .execute();
  await db.schema.createIndex('near_duplicates_other').on('near_duplicates').column('other_id').execute();

  await db.schema
    .createTable('library_revision')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute();

  // No reference to screens: a row outlives its screen until the index has forgotten it too.
  await db.schema
    .createTable('pending_index')
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('screen_id', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('pending_index_key', ['target', 'screen_id'])
    .execute();
  await db.schema
    .createIndex('pending_index_order')
    .on('pending_index')
    .columns(['target', 'version'])
    .execute();

  await db.schema
    .createTable('ingest_journal')
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('step', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('ingest_journal_key', ['sha256', 'step'])
    .execute();
}
