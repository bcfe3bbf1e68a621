import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExactVectors } from '../../src/engines/exact-vectors/index.ts';
import { createScanner } from '../../src/engines/exact-vectors/scanner.ts';
import { createRebuildableVectors } from '../../src/engines/generations/rebuildable.ts';
import { point, SPACES, vectorIndexContract } from '../contract/vector-index.ts';

async function start() {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-vectors-'));
  const file = join(dir, 'vectors.db');
  return {
    dir,
    file,
    open: () => createExactVectors({ file, spaces: SPACES }),
    close: () => rm(dir, { recursive: true }),
  };
}

vectorIndexContract('exact scan, in files that a rebuild replaces', async () => {
  const { dir, close } = await start();
  return {
    open: ({ spaces = SPACES, forRebuild = false } = {}) =>
      createRebuildableVectors({
        dir,
        name: 'vectors',
        recipe: JSON.stringify(spaces),
        open: (file) => createExactVectors({ file, spaces }),
        forRebuild,
      }),
    close,
  };
});

describe('exact scan', () => {
  it('keeps vectors over a restart', async () => {
    const store = await start();
    const first = await store.open();
    await first.upsert([point('a')]);
    await first.close();
    const second = await store.open();
    const query = { space: 'text', vector: Float32Array.of(1, 0, 0, 0, 0, 0), filter: {}, limit: 5 } as const;
    expect(await second.query(query)).toHaveLength(1);
    await second.close();
    await store.close();
  });

  it('fails one question when the worker dies, and answers the next', async () => {
    const store = await start();
    const index = await store.open();
    await index.upsert([point('a')]);
    const scanner = createScanner({ file: store.file, spaces: SPACES });
    const ask = (filter: object) =>
      scanner.ask({ space: 'text', vector: Float32Array.of(1, 0, 0, 0, 0, 0), filter, limit: 5 });
    // No filter looks so; the worker breaks over it.
    await expect(ask({ colors: [null] })).rejects.toThrow(/cannot be reached/);
    expect(await ask({})).toHaveLength(1);
    await scanner.close();
    await index.close();
    await store.close();
  });

  it('says so when the file is none of its own', async () => {
    const store = await start();
    await writeFile(store.file, 'this is no database, but it is long enough to be taken for one'.repeat(100));
    await expect(store.open()).rejects.toThrow(/vector index cannot be reached/i);
    await store.close();
  });
});
