import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../src/domain/errors.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

const READERS = 4;
const WRITERS = 2;
const PATHS = ['/screens/grid-00', '/screens?limit=5', '/flows', '/flows/flow-paywall'];

let postgres: TestPostgres;
let service: TestService;
beforeAll(async () => {
  postgres = await startPostgres();
  service = await startTestService({ settings: { DATABASE_URL: await postgres.createDatabase() } });
});
afterAll(async () => {
  await service.close();
  await postgres.close();
});

/** Reads and writes until told to stop, and keeps what was answered. */
function putUnderLoad() {
  const state = { running: true };
  const answers: { status: number; retryAfter: string | null; type: string | null }[] = [];
  const written: string[] = [];
  const refused: unknown[] = [];

  async function read(reader: number): Promise<void> {
    for (let turn = reader; state.running; turn += 1) {
      const response = await service.get(PATHS[turn % PATHS.length] ?? '');
      await response.arrayBuffer();
      answers.push({
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        type: response.headers.get('content-type'),
      });
    }
  }

  async function write(writer: number): Promise<void> {
    for (let turn = 0; state.running; turn += 1) {
      const id = `written-${writer}-${turn}`;
      try {
        await service.library.stores.catalogue.save({ screens: [screenRecord(id)] });
        written.push(id);
      } catch (error) {
        refused.push(error);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  const work = [
    ...Array.from({ length: READERS }, (_, index) => read(index)),
    ...Array.from({ length: WRITERS }, (_, index) => write(index)),
  ];
  return {
    answers,
    written,
    refused,
    async stop() {
      state.running = false;
      await Promise.all(work);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

it.each(['fast', 'kill'] as const)(
  'a database that is stopped (%s) and started under load loses nothing, and is back without a restart of ours',
  async (how) => {
    const load = putUnderLoad();
    await until(() => load.written.length > 20 && load.answers.length > 20);

    await postgres.stop(how);
    const [answered, refused] = [load.answers.length, load.refused.length];
    await until(() => load.answers.length > answered + 40 && load.refused.length > refused + 4);
    await postgres.start();
    const kept = load.written.length;
    await until(() => load.written.length > kept + 20);
    // Those under way when it came back may still have been refused.
    const back = load.answers.length + READERS;
    await until(() => load.answers.length > back + 40);
    await load.stop();

    const statuses = new Set(load.answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    for (const { retryAfter, type } of load.answers.filter(({ status }) => status === 503)) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(type).toBe('application/problem+json');
    }
    expect(new Set(load.answers.slice(back).map(({ status }) => status))).toEqual(new Set([200]));
    for (const error of load.refused) expect(error).toBeInstanceOf(EngineUnavailableError);

    const { catalogue } = service.library.stores;
    const found = await catalogue.screens(load.written);
    expect(found.map(({ id }) => id)).toEqual(load.written);
    const pending = new Set((await catalogue.pending('text', 10_000)).map(({ screenId }) => screenId));
    expect(load.written.filter((id) => !pending.has(id))).toEqual([]);
  },
);
