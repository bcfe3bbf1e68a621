import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateScreens } from '../../bench/generate.ts';
import { runCommand } from '../../bench/reindex/run.ts';
import { readConfig } from '../../src/config.ts';
import type { ScreenRecord } from '../../src/domain/screen.ts';
import { embeddingIdOf } from '../../src/ingest/embedding-id.ts';
import { findScreens } from '../../src/library/find-screens.ts';
import { indexPending, toPoints } from '../../src/library/index-pending.ts';
import { keepIndexed } from '../../src/library/keep-indexed.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import { openLibrary, type OpenLibrary } from '../../src/wire.ts';
import { environmentWith } from '../support/environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCREENS = 1500;
const QUIET = { warn: () => {} };

/** Vectors of the same size as the built-in model's, that mean something else: only the recipe tells them apart. */
async function otherModel(folder: string): Promise<void> {
  await cp(join(ROOT, 'models/builtin'), folder, { recursive: true });
  const prompts = { query: 'money spent on travel ', document: 'a garden with flowers ' };
  await writeFile(join(folder, 'config_sentence_transformers.json'), JSON.stringify({ prompts }));
}

describe('another embedding model', { timeout: 300_000 }, () => {
  let root: string;
  let dataDir: string;
  let otherFolder: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'vitrine-model-'));
    dataDir = join(root, 'data');
    otherFolder = join(root, 'other-model');
    await otherModel(otherFolder);
  });
  afterAll(() => rm(root, { recursive: true }));

  const open = (model?: string) =>
    openLibrary(
      readConfig({ DATA_DIR: dataDir, ...(model === undefined ? {} : { EMBEDDING_MODEL: model }) }),
    );
  const search = ({ library }: OpenLibrary) =>
    findScreens(library, {
      query: 'choose a date for the trip',
      mode: 'hybrid',
      filter: { appId: 'app-7' },
      limit: 5,
    });

  /** The stored vectors of all screens are those that this library's model makes. */
  async function expectOwnVectors({ library }: OpenLibrary): Promise<void> {
    const ids = (await library.catalogue.list(undefined, SCREENS * 2)).map(({ id }) => id);
    const points = await toPoints(library, await library.catalogue.versionedScreens(ids));
    expect(points.length).toBeGreaterThan(SCREENS);
    for (const { screenId, vectors } of points) {
      const stored = await library.vectors.vector(screenId, 'text');
      const products = Array.from(stored ?? [], (value, place) => value * (vectors.text?.[place] ?? 0));
      const cosine = products.reduce((sum, product) => sum + product, 0);
      expect(cosine, screenId).toBeCloseTo(1, 4);
    }
  }

  it('is put in use while searches and writes go on: no error, and never the vectors of the one for the other', async () => {
    const server = await open();
    const { catalogue } = server.stores;
    await catalogue.save({ screens: [...generateScreens(SCREENS)] });
    for (const target of INDEX_TARGETS) await indexPending(server.library, target);
    const followers = INDEX_TARGETS.map((target) => keepIndexed(server.library, target, QUIET));
    const before = await search(server);
    expect(before.missing).toEqual([]);

    await expect(open(otherFolder)).rejects.toThrow(/builtin@.*other-model@.*npm run reindex -- --vectors/s);

    const env = environmentWith({ DATA_DIR: dataDir, EMBEDDING_MODEL: otherFolder });
    const reindexing = runCommand(['scripts/reindex.ts', '--vectors'], env);
    const ended = new AbortController();
    void reindexing.finally(() => ended.abort());
    const added = [...generateScreens(SCREENS, 2)].map((screen): ScreenRecord => {
      const id = `added-${screen.id}`;
      return { ...screen, id, appId: 'app-added', embeddingId: embeddingIdOf(id) };
    });
    let asked = 0;
    for (; !ended.signal.aborted; asked += 1) {
      const answer = await search(server);
      // By the old model's vectors, or without meaning; by the new model's they would be others.
      if (answer.missing.length === 0) expect(answer.hits).toEqual(before.hits);
      else expect(answer.missing).toEqual(['meaning']);
      if (asked % 5 === 0) await catalogue.save({ screens: added.splice(0, 1) });
      await sleep(20);
    }
    expect((await reindexing).code).toBe(0);
    expect(asked).toBeGreaterThan(20);
    expect((await search(server)).missing).toEqual(['meaning']);

    // What is written by the server that still has the old model waits for one that has the new one.
    await catalogue.save({ screens: added.splice(0, 1) });
    await sleep(1500);
    expect(await catalogue.pending('vectors', 10)).not.toEqual([]);
    await Promise.all(followers.map((follower) => follower.stop()));
    await server.close();

    const restarted = await open(otherFolder);
    await indexPending(restarted.library, 'vectors');
    await expectOwnVectors(restarted);
    expect((await search(restarted)).missing).toEqual([]);
    await restarted.close();
    await expect(open()).rejects.toThrow(/npm run reindex/);
  });
});
