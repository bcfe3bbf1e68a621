import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillLibrary } from '../../bench/reindex/fill.ts';
import { lastWordOfDoctor, runCommand } from '../../bench/reindex/run.ts';
import { startTraffic, type TrafficReport } from '../../bench/reindex/traffic.ts';
import { startServer } from '../../bench/server.ts';
import { readConfig } from '../../src/config.ts';
import { openLibrary } from '../../src/wire.ts';
import { dropIndexes, elasticsearchUrl, freshIndexName, indexesOf } from '../support/elasticsearch.ts';
import { environmentWith } from '../support/environment.ts';
import { startQdrantStub, type QdrantStub } from '../support/qdrant-stub.ts';

const SCREENS = 1000;
const REINDEX = ['scripts/reindex.ts'];
const KILLS_MS = [1500, 3000];

describe('reindex between engines', { timeout: 600_000 }, () => {
  let dataDir: string;
  let stub: QdrantStub;
  const index = freshIndexName();
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'vitrine-engines-'));
    stub = await startQdrantStub();
    const open = await openLibrary(readConfig({ DATA_DIR: dataDir }));
    await fillLibrary(open, SCREENS);
    await open.close();
  });
  afterAll(async () => {
    await dropIndexes(index);
    await stub.close();
    await rm(dataDir, { recursive: true });
  });

  /** Commands while a server answers over one set of engines, and what its users noticed. */
  async function underLoad(
    serving: Record<string, string>,
    work: (env: NodeJS.ProcessEnv) => Promise<void>,
  ): Promise<TrafficReport> {
    // The run itself may have been told of engines; an empty setting is none.
    const embedded = { ELASTICSEARCH_URL: '', ELASTICSEARCH_INDEX: '', QDRANT_URL: '' };
    const server = await startServer(dataDir, { ...embedded, ...serving });
    try {
      const env = environmentWith({ DATA_DIR: dataDir, ...serving });
      const traffic = await startTraffic(server, {
        screens: SCREENS,
        searchesPerSecond: 20,
        writesPerSecond: 5,
        env,
      });
      const failure = await work(env).then(
        () => undefined,
        (error: unknown) => error,
      );
      const report = await traffic.stop();
      expect(await lastWordOfDoctor(env)).toMatchObject({ code: 0, output: 'No difference.\n' });
      if (failure !== undefined) throw failure;
      return report;
    } finally {
      await server.stop();
    }
  }

  it('moves to Elasticsearch and Qdrant and back while servers go on: nothing fails, is wrong or lost', async () => {
    const external = {
      ELASTICSEARCH_URL: elasticsearchUrl(),
      ELASTICSEARCH_INDEX: index,
      QDRANT_URL: stub.url,
    };
    const sound = { failed: [], wrong: [], lost: [] };
    const done = {
      code: 0,
      output: expect.stringMatching(/text: \d+ screens.*vectors: \d+ screens/s) as unknown,
    };

    // There, while the embedded engines serve.
    const there = await underLoad({}, async (env) => {
      expect(await runCommand(REINDEX, { ...env, ...external })).toMatchObject(done);
    });
    expect(there).toMatchObject(sound);

    // What was written since is there too once a server has started with the new settings; and anew, with kills.
    const anew = await underLoad(external, async (env) => {
      for (const killAfterMs of KILLS_MS) await runCommand(REINDEX, env, killAfterMs);
      expect(await runCommand(REINDEX, env)).toMatchObject(done);
    });
    expect(anew).toMatchObject(sound);
    expect(await indexesOf(index)).toHaveLength(1);

    // And back.
    const back = await underLoad(external, async () => {
      expect(await runCommand(REINDEX, environmentWith({ DATA_DIR: dataDir }))).toMatchObject(done);
    });
    expect(back).toMatchObject(sound);
    const home = await underLoad({}, async () => {});
    expect(home).toMatchObject(sound);
    expect(stub.unrecorded).toEqual([]);
  });
});
