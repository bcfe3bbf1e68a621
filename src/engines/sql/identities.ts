import { randomUUID } from 'node:crypto';
import type { Plan } from '../../domain/vocabulary.ts';
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
        const id = await addUser(transaction, newcomer);
        const linked = await transaction
          .insertInto('identities')
          .values({ ...identity, user_id: id })
          .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
          .returning('user_id')
          .executeTakeFirst();
        // Another request for the same newcomer was first.
        if (linked === undefined) await transaction.deleteFrom('users').where('id', '=', id).execute();
      });
      const user = await find(identity);
      if (user === undefined) throw new Error('The new user was removed at once.');
      return user;
    },
  };
}

/** Without the e-mail where another account has it; the insertion itself finds that out, so none comes in between. */
async function addUser(db: Database, { email, plan }: { email?: string; plan: Plan }): Promise<string> {
  const row = { id: randomUUID(), plan, password_hash: null, created_at: new Date().toISOString() };
  if (email !== undefined) {
    const added = await db
      .insertInto('users')
      .values({ ...row, email, email_key: emailKey(email) })
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added !== undefined) return added.id;
  }
  await db
    .insertInto('users')
    .values({ ...row, email: null, email_key: null })
    .execute();
  return row.id;
}
