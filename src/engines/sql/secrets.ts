import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../ports/secrets.ts';
import type { Database } from './schema.ts';

const SECRET_BYTES = 32;

export function createSecrets(db: Database): Secrets {
  return {
    async secret(name) {
      await db
        .insertInto('secrets')
        .values({ name, value: randomBytes(SECRET_BYTES).toString('base64url') })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const row = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return Buffer.from(row.value, 'base64url');
    },
  };
}
