import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillLibrary } from '../../bench/reindex/fill.ts';
import { lastWordOfDoctor, runCommand } from '../../bench/reindex/run.ts';
import { startTraffic } from '../../bench/reindex/traffic.ts';
import { startServer, type RunningServer } from '../../bench/server.ts';
import { readConfig } from '../../src/config.ts';
import { openLibrary } from '../../src/wire.ts';
import { environmentWith } from '../support/environment.ts';

const SCREENS = 5000;
const REINDEX = ['scripts/reindex.ts'];
/** When the runs that are not to end are killed: while it loads, reads, writes, wherever they are then. */
const KILLS_MS = [900, 2500, 4000];

describe('reindex under load', { timeout: 300_000 }, () => {
  let dataDir: string;
  let server: RunningServer;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'vitrine-reindex-'));
    const open = await openLibrary(readConfig({ DATA_DIR: dataDir }));
    await fillLibrary(open, SCREENS);
    await open.close();
    server = await startServer(dataDir);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  it('fails no search, answers none wrongly, loses no write, wherever it is killed', async () => {
    const env = environmentWith({ DATA_DIR: dataDir });
    const traffic = await startTraffic(server, {
      screens: SCREENS,
      searchesPerSecond: 20,
      writesPerSecond: 5,
      env,
    });
    for (const killAfterMs of KILLS_MS) await runCommand(REINDEX, env, killAfterMs);
    const finished = await runCommand(REINDEX, env);
    expect(finished.output).toMatch(/text: \d+ screens.*\n.*vectors: \d+ screens/s);
    expect(finished.code).toBe(0);

    const report = await traffic.stop();
    expect(report).toMatchObject({ failed: [], wrong: [], lost: [] });
    expect(report.writes).toBeGreaterThan(10);
    expect(await lastWordOfDoctor(env)).toMatchObject({
      code: 0,
      output: 'No difference.\n',
    });
    // The old ones are gone, and nothing of the runs that were killed is left.
    const files = (await readdir(dataDir)).filter((name) => /^(index|vectors)(-\d+)?\.db$/.test(name));
    expect(files).toHaveLength(2);
    expect(files).not.toContain('index.db');
    expect(files).not.toContain('vectors.db');
  });
});
