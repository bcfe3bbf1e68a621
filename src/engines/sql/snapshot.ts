import { sql } from 'kysely';
import { InvalidArgumentError } from '../../domain/errors.ts';
import type { Snapshot, SnapshotPart, SnapshotRow } from '../../ports/snapshot.ts';
import type { Database, Tables } from './schema.ts';

/**
 * Every table, those before that others refer to, with its key. Work on the indexes is left out: they are built anew from
 * what is restored.
 */
const TABLES = [
  ['apps', ['id']],
  ['screens', ['id']],
  ['flows', ['id']],
  ['flow_screens', ['flow_id', 'position']],
  ['near_duplicates', ['screen_id', 'other_id', 'kind']],
  ['library_revision', ['id']],
  ['ingest_journal', ['sha256', 'step']],
  ['users', ['id']],
  ['identities', ['issuer', 'subject']],
  ['grants', ['id']],
  ['oauth_clients', ['id']],
  ['oauth_records', ['kind', 'id_hash']],
  ['approved_redirect_uris', ['uri']],
  ['sign_in_sessions', ['id_hash']],
  ['signing_keys', ['kid']],
  ['secrets', ['name']],
] as const satisfies readonly (readonly [keyof Tables, readonly string[]])[];

const PART_ROWS = 1000;
/** Postgres takes no more than 65,535 values in a statement. */
const INSERT_ROWS = 500;

export function createSnapshot(db: Database): Snapshot {
  return {
    async *read() {
      const transaction = await db.startTransaction().setIsolationLevel('repeatable read').execute();
      try {
        for (const [table, key] of TABLES) {
          for (let offset = 0; ; offset += PART_ROWS) {
            const order = sql.join(key.map((column) => sql.ref(column)));
            const { rows } = await sql<SnapshotRow>`
              select * from ${sql.table(table)} order by ${order} limit ${PART_ROWS} offset ${offset}`.execute(
              transaction,
            );
            if (rows.length > 0) yield { table, rows };
            if (rows.length < PART_ROWS) break;
          }
        }
      } finally {
        await transaction.rollback().execute();
      }
    },

    async isEmpty() {
      const screen = await db.selectFrom('screens').select('id').limit(1).executeTakeFirst();
      const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
      return screen === undefined && user === undefined;
    },

    replace: (parts) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('pending_index').execute();
        for (const [table] of TABLES.toReversed()) await transaction.deleteFrom(table).execute();
        for await (const part of parts) await insert(transaction, part);
      }),
  };
}

async function insert(transaction: Database, { table, rows }: SnapshotPart): Promise<void> {
  const known = TABLES.find(([name]) => name === table)?.[0];
  if (known === undefined) {
    throw new InvalidArgumentError([{ parameter: table, detail: `This version has no table ${table}.` }]);
  }
  for (let start = 0; start < rows.length; start += INSERT_ROWS) {
    const values = rows.slice(start, start + INSERT_ROWS) as unknown as Tables[typeof known][];
    await transaction.insertInto(known).values(values).execute();
  }
}
