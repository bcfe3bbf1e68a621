import type { SigningKeys } from '../../ports/accounts.ts';
import type { Database, Tables } from './schema.ts';

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
      // An index admits one key of an algorithm that is not to retire.
      await db
        .insertInto('signing_keys')
        .values(toRow(key))
        .onConflict((conflict) => conflict.column('alg').where('retired_at', 'is', null).doNothing())
        .execute();
    },

    async rotate(key, retireOthersAt) {
      await db.transaction().execute(async (transaction) => {
        // Locked first: another rotation waits here, and then sees the key that this one adds.
        await transaction
          .selectFrom('signing_keys')
          .select('kid')
          .where('alg', '=', key.alg)
          .where('retired_at', 'is', null)
          .forUpdate()
          .execute();
        await transaction
          .updateTable('signing_keys')
          .set({ retired_at: retireOthersAt.toISOString() })
          .where('alg', '=', key.alg)
          .where('retired_at', 'is', null)
          .execute();
        await transaction.insertInto('signing_keys').values(toRow(key)).execute();
      });
    },
  };
}

function toRow(key: Parameters<SigningKeys['ensure']>[0]): Tables['signing_keys'] {
  return {
    kid: key.kid,
    alg: key.alg,
    jwk: JSON.stringify(key.jwk),
    created_at: new Date().toISOString(),
    active_from: key.activeFrom,
    retired_at: null,
  };
}
