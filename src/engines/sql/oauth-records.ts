import { sql, type OnConflictBuilder } from 'kysely';
import type { OAuthRecord, OAuthRecordKind, OAuthRecords } from '../../ports/oauth-store.ts';
import type { Transact } from './group-commit.ts';
import { prepare } from './prepared.ts';
import type { Database, Tables } from './schema.ts';

/** @param transact runs the rotation of refresh tokens, which many clients do at the same time */
export function createOAuthRecords(db: Database, transact: Transact): OAuthRecords {
  const findRecord = prepare<{ kind: OAuthRecordKind; idHash: string }, Tables['oauth_records']>((value) =>
    db
      .selectFrom('oauth_records')
      .selectAll()
      .where('kind', '=', value('kind'))
      .where('id_hash', '=', value('idHash')),
  );

  /** One statement decides, so it needs no lock of its own and holds between processes. */
  const claimRecord = prepare<{ kind: OAuthRecordKind; idHash: string; at: string }, { id_hash: string }>(
    (value) =>
      db
        .updateTable('oauth_records')
        .set({ consumed_at: value('at') })
        .where('kind', '=', value('kind'))
        .where('id_hash', '=', value('idHash'))
        .where('consumed_at', 'is', null)
        .returning('id_hash'),
  );

  /** Keeps a grant from being removed until the transaction ends. */
  const holdGrant = prepare<{ grantId: string }, { id: string }>((value) =>
    db.selectFrom('grants').select('id').where('id', '=', value('grantId')).forKeyShare(),
  );

  /** Selecting from the grant stores nothing where another request has just revoked it. */
  const saveOfGrant = prepare<RecordValues & { grantId: string }, { id_hash: string }>((value) =>
    db
      .insertInto('oauth_records')
      .columns(['kind', 'id_hash', 'payload', 'grant_id', 'uid', 'expires_at', 'consumed_at'])
      .expression((from) =>
        from
          .selectFrom('grants')
          .select([
            sql.val(value('kind')).as('kind'),
            sql.val(value('idHash')).as('id_hash'),
            sql.val(value('payload')).as('payload'),
            'grants.id as grant_id',
            sql.val(value('uid')).as('uid'),
            sql.val(value('expiresAt')).as('expires_at'),
            sql<null>`null`.as('consumed_at'),
          ])
          .where('grants.id', '=', value('grantId'))
          .forKeyShare(),
      )
      .onConflict(renew)
      .returning('id_hash'),
  );

  const saveAlone = prepare<RecordValues, never>((value) =>
    db
      .insertInto('oauth_records')
      .values({
        kind: value('kind'),
        id_hash: value('idHash'),
        payload: value('payload'),
        grant_id: null,
        uid: value('uid'),
        expires_at: value('expiresAt'),
        consumed_at: null,
      })
      .onConflict(renew),
  );

  async function claim(executor: Database, kind: OAuthRecordKind, idHash: string, at: Date) {
    const claimed = await claimRecord(executor, { kind, idHash, at: at.toISOString() });
    return claimed.length > 0;
  }

  async function save(executor: Database, record: Omit<OAuthRecord, 'consumedAt'>): Promise<boolean> {
    const { grantId } = record;
    const values = {
      kind: record.kind,
      idHash: record.idHash,
      payload: JSON.stringify(record.payload),
      uid: record.uid ?? null,
      expiresAt: record.expiresAt.toISOString(),
    };
    if (grantId !== undefined) return (await saveOfGrant(executor, { ...values, grantId })).length > 0;
    await saveAlone(executor, values);
    return true;
  }

  return {
    async find(kind, idHash) {
      const [row] = await findRecord(db, { kind, idHash });
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
        const { grantId } = successor;
        // The grant is locked before its record, as a revocation locks them, so that neither waits for ever.
        if (grantId !== undefined && (await holdGrant(transaction, { grantId })).length === 0) return 'lost';
        if (!(await claim(transaction, kind, idHash, at))) return 'lost';
        await save(transaction, successor);
        return 'replaced';
      }),

    async remove(kind, idHash) {
      await db.deleteFrom('oauth_records').where('kind', '=', kind).where('id_hash', '=', idHash).execute();
    },
  };
}

type RecordValues = {
  kind: OAuthRecordKind;
  idHash: string;
  payload: string;
  uid: string | null;
  expiresAt: string;
};

/** A record that is there already keeps when it was consumed. */
function renew(conflict: OnConflictBuilder<Tables, 'oauth_records'>) {
  return conflict.columns(['kind', 'id_hash']).doUpdateSet((row) => ({
    payload: row.ref('excluded.payload'),
    grant_id: row.ref('excluded.grant_id'),
    uid: row.ref('excluded.uid'),
    expires_at: row.ref('excluded.expires_at'),
  }));
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
