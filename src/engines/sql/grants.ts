import { randomUUID } from 'node:crypto';
import type { Grant, Grants } from '../../ports/accounts.ts';
import type { Database, Tables } from './schema.ts';

export function createGrants(db: Database): Grants {
  return {
    async grant(id) {
      const row = await db.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toGrant(row);
    },

    async grantsOf(userId) {
      const rows = await db
        .selectFrom('grants')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toGrant);
    },

    async add({ userId, clientId, resource, scope }) {
      const row = await db
        .insertInto('grants')
        .values({
          id: randomUUID(),
          user_id: userId,
          client_id: clientId,
          resource,
          scope,
          created_at: new Date().toISOString(),
          last_used_at: null,
          expires_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toGrant(row);
    },

    async revoke(id) {
      const result = await db.deleteFrom('grants').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async touch(id, at) {
      await db.updateTable('grants').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute();
    },
  };
}

function toGrant(row: Tables['grants']): Grant {
  return {
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    resource: row.resource,
    scope: row.scope,
    createdAt: row.created_at,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}
