import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openLibrary, type OpenLibrary } from '../src/wire.ts';
import { indexPending } from '../src/library/index-pending.ts';
import { INDEX_TARGETS } from '../src/ports/catalogue.ts';
import { createRandom, generateScreens, searchedWord } from './generate.ts';
import { createMcpCaller } from './mcp-caller.ts';
import { ms, printTable, summarise } from './measure.ts';
import { startServer } from './server.ts';

const SCREENS = 10_000;
const CLIENTS = 200;
const SECONDS = 60;
const MEMORY_EVERY_MS = 1000;
const FLOWS = 20;
const STEPS = 8;
const PICTURE = join(import.meta.dirname, '../docs/pictures/mcp-answer.webp');

export interface Load {
  calls: number;
  /** What went wrong, each error once with how often. */
  errors: Map<string, number>;
  /** Milliseconds of each call, in order of their end. */
  taken: number[];
}

/**
 * So many clients that each call one tool after another, each on a connection of its own, for so long. The library must
 * be one of `fillForLoad`.
 */
export async function runLoad(
  { url, token }: { url: string; token: string },
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Load> {
  const load: Load = { calls: 0, errors: new Map(), taken: [] };
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const caller = createMcpCaller(`${url}/mcp`, { authorization: `Bearer ${token}` });
      const random = createRandom(client + 1);
      while (performance.now() < end) {
        const start = performance.now();
        try {
          await caller.call(...anyCall(random));
          load.taken.push(performance.now() - start);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          load.errors.set(message, (load.errors.get(message) ?? 0) + 1);
        }
        load.calls += 1;
      }
      caller.close();
    }),
  );
  return load;
}

/** As an assistant goes about it: searches most of all, then looks. */
function anyCall(random: () => number): [name: string, args: Record<string, unknown>] {
  const below = (count: number) => Math.floor(random() * count);
  const query = `${searchedWord(random)} ${searchedWord(random)}`;
  const flowId = `flow-${below(FLOWS)}`;
  const kind = below(20);
  if (kind < 8) return ['search_screens', { query }];
  if (kind < 10) return ['search_screens', { pattern: ['paywall'], platform: 'IOS', maxPerApp: 1 }];
  if (kind < 12) return ['find_similar_screens', { screenId: idOf(below(FLOWS * STEPS)), by: 'meaning' }];
  if (kind < 14) return ['get_screen', { id: idOf(below(FLOWS * STEPS)) }];
  if (kind < 15) return ['search_flows', { query }];
  if (kind < 16) return ['get_flow', { id: flowId }];
  if (kind < 17) return ['compare_flows', { flowIds: ['flow-0', `flow-${1 + below(FLOWS - 1)}`] }];
  if (kind < 18) return ['list_filters', {}];
  return ['view_screens', { flowId, steps: [1, 2], size: 'small' }];
}

const idOf = (index: number) => `generated-${String(index).padStart(7, '0')}`;

/** A library of generated screens and flows; those that clients look at have a picture. */
export async function fillForLoad({ stores, images, library }: OpenLibrary, count: number): Promise<void> {
  const screens = [...generateScreens(count)];
  const picture = await readFile(PICTURE);
  const seen = screens.slice(0, FLOWS * STEPS);
  for (const { imageKey } of seen) await images.put(imageKey, picture, 'image/webp');
  await stores.catalogue.save({ screens });
  await stores.catalogue.save({
    flows: Array.from({ length: FLOWS }, (_, index) => ({
      id: `flow-${index}`,
      appId: 'app-1',
      type: 'checkout',
      name: `Checkout ${index}`,
      screenIds: seen.slice(index * STEPS, (index + 1) * STEPS).map(({ id }) => id),
      capturedAt: '2026-01-01T00:00:00.000Z',
    })),
  });
  for (const target of INDEX_TARGETS) await indexPending(library, target);
}

/** Many clients at once over loopback: whether any call fails, how long calls take, whether memory grows. */
export async function benchMcpLoad(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    const storageUrl = 'http://127.0.0.1/files';
    const open = await openLibrary({ dataDir, storageUrl, embeddingModel: 'builtin', ocrWorkers: 1 });
    await fillForLoad(open, SCREENS);
    await open.close();
    const server = await startServer(dataDir);
    const memory: number[] = [];
    const watch = setInterval(() => void server.memoryMB().then((mb) => memory.push(mb)), MEMORY_EVERY_MS);
    try {
      const token = await server.mcpToken();
      const load = await runLoad({ url: server.url, token }, { clients: CLIENTS, seconds: SECONDS });
      const failed = [...load.errors.values()].reduce((sum, count) => sum + count, 0);
      const { p50, p99 } = summarise(load.taken);
      printTable(
        [
          'clients',
          'calls',
          'errors',
          'calls a second',
          'p50',
          'p99',
          'memory after a third',
          'after two thirds',
          'at the end',
        ],
        [
          [
            String(CLIENTS),
            load.calls.toLocaleString('en'),
            String(failed),
            (load.calls / SECONDS).toFixed(0),
            ms(p50),
            ms(p99),
            ...[1, 2, 3].map(
              (third) =>
                `${(memory[Math.floor((memory.length * third) / 3) - 1] ?? Number.NaN).toFixed(0)} MB`,
            ),
          ],
        ],
      );
      for (const [message, count] of load.errors) process.stdout.write(`${count}× ${message}\n`);
    } finally {
      clearInterval(watch);
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
