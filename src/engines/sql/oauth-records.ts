import { sql } from 'kysely';
import type { OAuthRecord, OAuthRecordKind, OAuthRecords } from '../../ports/oauth-store.ts';
import type { Transact } from './group-commit.ts';
import type { Database, Tables } from './schema.ts';

/** @param transact runs the rotation of refresh tokens, which many clients do at the same time */
export function createOAuthRecords(db: Database, transact: Transact): OAuthRecords {
  return {
    async find(kind, idHash) {
      const row = await db
        .selectFrom('oauth_records')
        .selectAll()
        .where('kind', '=', kind)
        .where('id_hash', '=', idHash)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async findByUid(kind, uid) {
      const row = await db
        .selectFrom('oauth_records')
        .selectAll()
        .where('uid', '=', uid)
        .where('kind', '=', kind)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    save: (record) => save(db, record),

    replace: (kind, idHash, successor, at) =>
      transact(async (transaction) => {
        // The grant is locked before its record, as a revocation locks them, so that neither waits for ever.
        if (successor.grantId !== undefined && !(await holdGrant(transaction, successor.grantId)))
          return 'lost';
        if (!(await claim(transaction, kind, idHash, at))) return 'lost';
        await save(transaction, successor);
        return 'replaced';
      }),

    async remove(kind, idHash) {
      await db.deleteFrom('oauth_records').where('kind', '=', kind).where('id_hash', '=', idHash).execute();
    },
  };
}

/** One statement decides, so it needs no lock of its own and holds between processes. */
async function claim(db: Database, kind: OAuthRecordKind, idHash: string, at: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('oauth_records')
    .set({ consumed_at: at.toISOString() })
    .where('kind', '=', kind)
    .where('id_hash', '=', idHash)
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Keeps a grant from being removed until the transaction ends. False when it is gone. */
async function holdGrant(db: Database, grantId: string): Promise<boolean> {
  const held = await db
    .selectFrom('grants')
    .select('id')
    .where('id', '=', grantId)
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

async function save(db: Database, record: Omit<OAuthRecord, 'consumedAt'>): Promise<boolean> {
  const changing = {
    payload: JSON.stringify(record.payload),
    grant_id: record.grantId ?? null,
    uid: record.uid ?? null,
    expires_at: record.expiresAt.toISOString(),
  };
  const { grantId } = record;
  if (grantId === undefined) {
    await db
      .insertInto('oauth_records')
      .values({ kind: record.kind, id_hash: record.idHash, ...changing, consumed_at: null })
      .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(changing))
      .execute();
    return true;
  }
  // Selecting from the grant stores nothing where another request has just revoked it.
  const stored = await db
    .insertInto('oauth_records')
    .columns(['kind', 'id_hash', 'payload', 'grant_id', 'uid', 'expires_at', 'consumed_at'])
    .expression((from) =>
      from
        .selectFrom('grants')
        .select([
          sql.val(record.kind).as('kind'),
          sql.val(record.idHash).as('id_hash'),
          sql.val(changing.payload).as('payload'),
          'grants.id as grant_id',
          sql.val(changing.uid).as('uid'),
          sql.val(changing.expires_at).as('expires_at'),
          sql<null>`null`.as('consumed_at'),
        ])
        .where('grants.id', '=', grantId)
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(changing))
    .returning('id_hash')
    .executeTakeFirst();
  return stored !== undefined;
}

function toRecord(row: Tables['oauth_records']): OAuthRecord {
  return {
    kind: row.kind,
    idHash: row.id_hash,
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    ...(row.grant_id === null ? {} : { grantId: row.grant_id }),
    ...(row.uid === null ? {} : { uid: row.uid }),
    expiresAt: new Date(row.expires_at),
    ...(row.consumed_at === null ? {} : { consumedAt: new Date(row.consumed_at) }),
  };
}
