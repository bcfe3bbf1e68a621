import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../domain/errors.ts';
import type { Accounts, User } from '../../ports/accounts.ts';
import { prepare } from './prepared.ts';
import type { Database, Tables } from './schema.ts';

export function createAccounts(db: Database): Accounts {
  const findUser = prepare<{ id: string }, Tables['users']>((value) =>
    db.selectFrom('users').selectAll().where('id', '=', value('id')),
  );
  return {
    async user(id) {
      const [row] = await findUser(db, { id });
      return row && toUser(row);
    },

    async userByEmail(email) {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst();
      return row && toUser(row);
    },

    async users() {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .orderBy('email_key', (order) => order.asc().nullsFirst())
        .orderBy('id')
        .execute();
      return rows.map(toUser);
    },

    async add({ email, plan, passwordHash }) {
      const row = await db
        .insertInto('users')
        .values({
          id: randomUUID(),
          email,
          email_key: emailKey(email),
          plan,
          password_hash: passwordHash,
          created_at: new Date().toISOString(),
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) {
        throw new InvalidArgumentError([
          { parameter: 'email', detail: `There is already an account for ${email}.` },
        ]);
      }
      return toUser(row);
    },

    async setPlan(id, plan) {
      const result = await db.updateTable('users').set({ plan }).where('id', '=', id).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async setPasswordHash(id, passwordHash) {
      return db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('sign_in_sessions').where('user_id', '=', id).execute();
        const result = await transaction
          .updateTable('users')
          .set({ password_hash: passwordHash })
          .where('id', '=', id)
          .executeTakeFirst();
        return result.numUpdatedRows > 0n;
      });
    },

    async passwordHash(id) {
      const row = await db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.password_hash ?? undefined;
    },

    async remove(id) {
      const result = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

/** What makes two spellings of an e-mail one account. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function toUser(row: Tables['users']): User {
  return {
    id: row.id,
    ...(row.email === null ? {} : { email: row.email }),
    plan: row.plan,
    createdAt: row.created_at,
  };
}
