import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGroupCommit, createTransact } from '../../src/engines/sql/group-commit.ts';
import { migrate } from '../../src/engines/sql/migrate.ts';
import type { Database, Tables } from '../../src/engines/sql/schema.ts';
import { openSqlite } from '../../src/engines/sql/sqlite-dialect.ts';

describe('group commit', () => {
  let dir: string;
  let db: Database;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vitrine-test-'));
    db = new Kysely<Tables>({ dialect: openSqlite(join(dir, 'library.db')).dialect });
    await migrate(db);
  });
  afterEach(async () => {
    await db.destroy();
    await rm(dir, { recursive: true });
  });

  /** Adds an app and returns how many there are then. */
  const add = (id: string) => async (transaction: Database) => {
    await transaction.insertInto('apps').values({ id, name: id }).execute();
    return (await transaction.selectFrom('apps').select('id').execute()).length;
  };

  it('does what is asked for at the same time in its order, each for its caller', async () => {
    const transact = createGroupCommit(createTransact(db));
    expect(await Promise.all(['a', 'b', 'c'].map((id) => transact(add(id))))).toEqual([1, 2, 3]);
    expect(await transact(add('d'))).toBe(4);
  });

  it('does nothing of a group of which one fails, tells all of them, and goes on', async () => {
    const transact = createGroupCommit(createTransact(db));
    const results = await Promise.allSettled(['a', 'b', 'a'].map((id) => transact(add(id))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await transact(add('a'))).toBe(1);
  });
});
