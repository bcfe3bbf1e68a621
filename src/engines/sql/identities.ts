import { randomUUID } from 'node:crypto';
import type { Identities, Identity } from '../../ports/identities.ts';
import { emailKey, toUser } from './accounts.ts';
import type { Database } from './schema.ts';

export function createIdentities(db: Database): Identities {
  async function find({ issuer, subject }: Identity) {
    const row = await db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .selectAll('users')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row && toUser(row);
  }

  return {
    async ensureUser(identity, newcomer) {
      const known = await find(identity);
      if (known !== undefined) return known;
      await db.transaction().execute(async (transaction) => {
        const id = randomUUID();
        const row = {
          id,
          email: null,
          email_key: null,
          plan: newcomer.plan,
          password_hash: null,
          created_at: new Date().toISOString(),
        };
        await transaction.insertInto('users').values(row).execute();
        const linked = await transaction
          .insertInto('identities')
          .values({ ...identity, user_id: id })
          .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
          .returning('user_id')
          .executeTakeFirst();
        if (linked === undefined) {
          // Another request for the same newcomer was first.
          await transaction.deleteFrom('users').where('id', '=', id).execute();
        } else if (newcomer.email !== undefined) {
          const key = emailKey(newcomer.email);
          await transaction
            .updateTable('users')
            .set({ email: newcomer.email, email_key: key })
            .where('id', '=', id)
            .where((where) =>
              where.not(where.exists(where.selectFrom('users').select('id').where('email_key', '=', key))),
            )
            .execute();
        }
      });
      const user = await find(identity);
      if (user === undefined) throw new Error('The new user was removed at once.');
      return user;
    },
  };
}
