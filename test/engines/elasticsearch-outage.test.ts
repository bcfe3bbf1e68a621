import { execFile as execFileCallback } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../bench/server.ts';
import { createElasticsearchSearch } from '../../src/engines/elasticsearch/index.ts';
import { screenDocument } from '../support/screen-document.ts';
import { startElasticsearch, type ElasticsearchServer } from '../../scripts/engines/elasticsearch-server.ts';

const execFile = promisify(execFileCallback);
const SAVE_SCREENS = join(import.meta.dirname, '../support/save-screens.ts');
const SEARCHERS = 4;
const PAUSE_MS = 20;
const ADMIN_PASSWORD = 'of the test';
/** Elasticsearch takes a minute and more to start on a busy machine. */
const RESTART_TIMEOUT_MS = 300_000;
const CATCH_UP_MS = 60_000;

let elasticsearch: ElasticsearchServer;
let apiKey: string;
let server: RunningServer;
let dataDir: string;
beforeAll(async () => {
  elasticsearch = await startElasticsearch({ adminPassword: ADMIN_PASSWORD });
  apiKey = await createApiKey();
  dataDir = await mkdtemp(join(tmpdir(), 'vitrine-outage-'));
  server = await startServer(dataDir, {
    ELASTICSEARCH_URL: elasticsearch.url,
    ELASTICSEARCH_API_KEY: apiKey,
    LOG_LEVEL: 'fatal',
  });
});
afterAll(async () => {
  await server.stop();
  await elasticsearch.close();
  await rm(dataDir, { recursive: true });
});

/** With the rights that docs/at-scale.md asks for. */
async function createApiKey(): Promise<string> {
  const guide = await readFile(join(import.meta.dirname, '../../docs/at-scale.md'), 'utf8');
  const roles: unknown = JSON.parse(/```json\n(.*privileges.*)\n```/.exec(guide)?.[1] ?? '');
  const response = await fetch(`${elasticsearch.url}/_security/api_key`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'vitrine', role_descriptors: roles }),
  });
  return ((await response.json()) as { encoded: string }).encoded;
}

let saved = 0;

/** Another process saves screens in the catalogue; the server is to bring them into the index. */
async function save(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, number) => `screen-${saved + number}`);
  await execFile(process.execPath, [SAVE_SCREENS, join(dataDir, 'library.db'), ...ids]);
  saved += count;
}

function get(path: string): Promise<Response> {
  return fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${server.token}` } });
}

async function untilAllFound(): Promise<void> {
  for (const end = Date.now() + CATCH_UP_MS; Date.now() < end; await sleep(100)) {
    const response = await get('/screens?limit=1');
    const body = (await response.json()) as { total?: number };
    if (response.status === 200 && body.total === saved) return;
  }
  throw new Error(`Not all of the ${saved} screens are found.`);
}

/** Searches and reads from several sides until it is stopped; what was answered to each, by status. */
function load() {
  const run = { on: true };
  const searches = new Map<number, number>();
  const reads = new Map<number, number>();
  const count = (answers: Map<number, number>, status: number) =>
    answers.set(status, (answers.get(status) ?? 0) + 1);

  async function search(): Promise<void> {
    const response = await get('/screens?pattern=paywall&limit=100');
    count(searches, response.status);
    const body = (await response.json()) as { data?: unknown[]; total?: number; code?: string };
    if (response.status === 200) {
      expect(body.data).toHaveLength(Math.min(100, body.total ?? -1));
      return;
    }
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body.code).toBe('engine_unavailable');
  }

  const loops = Array.from({ length: SEARCHERS }, async () => {
    while (run.on) {
      await search();
      for (const path of ['/screens/screen-0', '/flows']) count(reads, (await get(path)).status);
      await sleep(PAUSE_MS);
    }
  });
  return {
    searches,
    reads,
    async stop() {
      run.on = false;
      await Promise.all(loops);
    },
  };
}

describe('an API key', () => {
  const errorWith = async (key: string) => {
    const index = createElasticsearchSearch({
      url: elasticsearch.url,
      apiKey: key,
      index: 'vitrine-screens',
    });
    const error = await index.count().catch((reason: Error) => String(reason.cause));
    await index.close();
    return error;
  };

  it('does all that is needed with the rights that the guide asks for', async () => {
    const settings = { url: elasticsearch.url, apiKey, index: 'vitrine-screens-other' };
    const index = createElasticsearchSearch(settings);
    await index.upsert([screenDocument('a')]);
    const rebuild = await index.rebuild();
    await rebuild.next.upsert([screenDocument('a'), screenDocument('b')]);
    await rebuild.promote();
    await rebuild.close();
    expect(await index.count()).toBe(2);
    await index.close();
  });

  it('is named in the cause when it is refused', async () => {
    expect(await errorWith(Buffer.from('no:key').toString('base64'))).toMatch(/ELASTICSEARCH_API_KEY/);
    expect(await errorWith('not even a key')).toMatch(/ELASTICSEARCH_API_KEY/);
    expect(await errorWith(apiKey)).toBe(0);
  });
});

describe('Elasticsearch away for a while, the server under load', () => {
  it.each([
    ['killed', () => elasticsearch.kill()],
    ['stopped', () => elasticsearch.stop()],
  ])(
    '%s: searches say when to come back, all else goes on, and nothing is lost',
    async (how, end) => {
      await save(20);
      await untilAllFound();
      const { searches, reads, stop } = load();
      await save(20);
      await untilAllFound();
      await end();
      await save(20);
      expect((await get('/screens')).status).toBe(503);
      await elasticsearch.start();
      const back = Date.now();
      await untilAllFound();
      const seconds = (Date.now() - back) / 1000;
      await stop();

      expect(new Set(searches.keys())).toEqual(new Set([200, 503]));
      expect([...reads.keys()]).toEqual([200]);
      process.stdout.write(
        `Elasticsearch ${how} and started again under load: ${searches.get(200)} searches answered, ${searches.get(503)} ` +
          `answered 503, ${reads.get(200)} reads by id answered, 0 of ${saved} screens lost; all found ` +
          `${seconds.toFixed(1)} s after it was back\n`,
      );
    },
    RESTART_TIMEOUT_MS,
  );
});
