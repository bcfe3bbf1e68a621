import type {
  ApprovedRedirectUris,
  OAuthClients,
  OAuthGrants,
  OAuthStore,
  RegisteredClient,
  SignInSessions,
} from '../../ports/oauth-store.ts';
import type { Transact } from './group-commit.ts';
import { createOAuthRecords } from './oauth-records.ts';
import { prepare } from './prepared.ts';
import type { Database, Tables } from './schema.ts';

export function createOAuthStore(db: Database, transact: Transact): OAuthStore {
  return {
    records: createOAuthRecords(db, transact),
    grants: createOAuthGrants(db),
    clients: createOAuthClients(db),
    approvedRedirectUris: createApprovedRedirectUris(db),
    signInSessions: createSignInSessions(db),
    collect: (moment) => collect(db, moment),
  };
}

function createOAuthGrants(db: Database): OAuthGrants {
  const findGrant = prepare<{ id: string }, Tables['grants']>((value) =>
    db.selectFrom('grants').selectAll().where('id', '=', value('id')),
  );
  return {
    async find(id) {
      const [row] = await findGrant(db, { id });
      if (row === undefined || row.expires_at === null) return undefined;
      return {
        id: row.id,
        userId: row.user_id,
        clientId: row.client_id,
        resource: row.resource,
        scope: row.scope,
        createdAt: new Date(row.created_at),
        expiresAt: new Date(row.expires_at),
      };
    },

    async save(grant) {
      const changing = {
        user_id: grant.userId,
        client_id: grant.clientId,
        resource: grant.resource,
        scope: grant.scope,
        created_at: grant.createdAt.toISOString(),
        expires_at: grant.expiresAt.toISOString(),
      };
      await db
        .insertInto('grants')
        .values({ id: grant.id, ...changing, last_used_at: null })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
        .execute();
    },

    async revoke(id) {
      const result = await db.deleteFrom('grants').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function createOAuthClients(db: Database): OAuthClients {
  const findClient = prepare<{ id: string }, Tables['oauth_clients']>((value) =>
    db.selectFrom('oauth_clients').selectAll().where('id', '=', value('id')),
  );
  return {
    async find(id) {
      const [row] = await findClient(db, { id });
      return row && toClient(row);
    },

    async add({ id, metadata, createdAt }) {
      await db
        .insertInto('oauth_clients')
        .values({
          id,
          metadata: JSON.stringify(metadata),
          created_at: createdAt.toISOString(),
          last_used_at: null,
        })
        .execute();
    },

    async list() {
      const rows = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toClient);
    },

    async touch(id, at) {
      await db
        .updateTable('oauth_clients')
        .set({ last_used_at: at.toISOString() })
        .where('id', '=', id)
        .execute();
    },

    remove: (id) =>
      db.transaction().execute(async (transaction) => {
        const clients = await transaction.deleteFrom('oauth_clients').where('id', '=', id).executeTakeFirst();
        const grants = await transaction.deleteFrom('grants').where('client_id', '=', id).executeTakeFirst();
        return clients.numDeletedRows + grants.numDeletedRows > 0n;
      }),
  };
}

function createApprovedRedirectUris(db: Database): ApprovedRedirectUris {
  return {
    async list() {
      const rows = await db.selectFrom('approved_redirect_uris').select('uri').orderBy('uri').execute();
      return rows.map((row) => row.uri);
    },

    async has(uri) {
      const row = await db
        .selectFrom('approved_redirect_uris')
        .select('uri')
        .where('uri', '=', uri)
        .executeTakeFirst();
      return row !== undefined;
    },

    async approve(uri) {
      await db
        .insertInto('approved_redirect_uris')
        .values({ uri })
        .onConflict((conflict) => conflict.column('uri').doNothing())
        .execute();
    },

    async withdraw(uri) {
      const result = await db.deleteFrom('approved_redirect_uris').where('uri', '=', uri).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function createSignInSessions(db: Database): SignInSessions {
  return {
    async find(idHash, now) {
      const row = await db
        .selectFrom('sign_in_sessions')
        .selectAll()
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', now.toISOString())
        .executeTakeFirst();
      return (
        row && {
          idHash: row.id_hash,
          userId: row.user_id,
          createdAt: new Date(row.created_at),
          expiresAt: new Date(row.expires_at),
        }
      );
    },

    async add({ idHash, userId, createdAt, expiresAt }) {
      await db
        .insertInto('sign_in_sessions')
        .values({
          id_hash: idHash,
          user_id: userId,
          created_at: createdAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        })
        .execute();
    },

    async remove(idHash) {
      await db.deleteFrom('sign_in_sessions').where('id_hash', '=', idHash).execute();
    },
  };
}

/** A grant without a record cannot be refreshed; its last access token is dead after this. */
const LONGEST_ACCESS_TOKEN_MS = 24 * 60 * 60 * 1000;

async function collect(
  db: Database,
  { now, unusedSince, idleSince }: Parameters<OAuthStore['collect']>[0],
): ReturnType<OAuthStore['collect']> {
  const moment = now.toISOString();
  return db.transaction().execute(async (transaction) => {
    const records = await transaction
      .deleteFrom('oauth_records')
      .where('expires_at', '<=', moment)
      .executeTakeFirst();
    const grants = await transaction
      .deleteFrom('grants')
      .where('expires_at', 'is not', null)
      .where('created_at', '<=', new Date(now.getTime() - LONGEST_ACCESS_TOKEN_MS).toISOString())
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('oauth_records')
              .select('oauth_records.id_hash')
              .whereRef('oauth_records.grant_id', '=', 'grants.id'),
          ),
        ),
      )
      .executeTakeFirst();
    const clients = await transaction
      .deleteFrom('oauth_clients')
      .where((where) =>
        where.or([
          where.and([
            where('last_used_at', 'is', null),
            where('created_at', '<=', unusedSince.toISOString()),
          ]),
          where('last_used_at', '<=', idleSince.toISOString()),
        ]),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('grants').select('grants.id').whereRef('grants.client_id', '=', 'oauth_clients.id'),
          ),
        ),
      )
      .executeTakeFirst();
    const sessions = await transaction
      .deleteFrom('sign_in_sessions')
      .where('expires_at', '<=', moment)
      .executeTakeFirst();
    return {
      records: Number(records.numDeletedRows),
      grants: Number(grants.numDeletedRows),
      clients: Number(clients.numDeletedRows),
      sessions: Number(sessions.numDeletedRows),
    };
  });
}

function toClient(row: Tables['oauth_clients']): RegisteredClient {
  return {
    id: row.id,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    createdAt: new Date(row.created_at),
    ...(row.last_used_at === null ? {} : { lastUsedAt: new Date(row.last_used_at) }),
  };
}
