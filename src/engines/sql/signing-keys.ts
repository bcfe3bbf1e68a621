import type { SigningKeys } from '../../ports/accounts.ts';
import type { Database } from './schema.ts';

export function createSigningKeys(db: Database): SigningKeys {
  return {
    async keys(now) {
      const rows = await db
        .selectFrom('signing_keys')
        .selectAll()
        .where((where) =>
          where.or([where('retired_at', 'is', null), where('retired_at', '>', now.toISOString())]),
        )
        .orderBy('active_from')
        .orderBy('kid')
        .execute();
      return rows.map((row) => ({
        kid: row.kid,
        alg: row.alg,
        jwk: JSON.parse(row.jwk) as Record<string, unknown>,
        createdAt: row.created_at,
        activeFrom: row.active_from,
        ...(row.retired_at === null ? {} : { retiredAt: row.retired_at }),
      }));
    },

    async ensure(key) {
      await db.transaction().execute(async (transaction) => {
        const existing = await transaction
          .selectFrom('signing_keys')
          .select('kid')
          .where('alg', '=', key.alg)
          .where('retired_at', 'is', null)
          .executeTakeFirst();
        if (existing === undefined) await insert(transaction, key);
      });
    },

    async rotate(key, retireOthersAt) {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('signing_keys')
          .set({ retired_at: retireOthersAt.toISOString() })
          .where('alg', '=', key.alg)
          .where('retired_at', 'is', null)
          .execute();
        await insert(transaction, key);
      });
    },
  };
}

async function insert(db: Database, key: Parameters<SigningKeys['ensure']>[0]): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({
      kid: key.kid,
      alg: key.alg,
      jwk: JSON.stringify(key.jwk),
      created_at: new Date().toISOString(),
      active_from: key.activeFrom,
      retired_at: null,
    })
    .execute();
}
