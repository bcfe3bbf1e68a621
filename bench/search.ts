import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../src/config.ts';
import { createSqliteSearch } from '../src/engines/sqlite-search/index.ts';
import {
  countStatement,
  newestStatement,
  type Selection,
} from '../src/engines/sqlite-search/query-builder.ts';
import type { ScreenFilter } from '../src/domain/query.ts';
import { parseQuery } from '../src/domain/text.ts';
import { openLibrary } from '../src/wire.ts';
import { indexPending } from '../src/library/index-pending.ts';
import { createRandom, generateScreens, searchedWord } from './generate.ts';
import { ms, printTable, ratio, sideBySide } from './measure.ts';
import { startServer, type RunningServer } from './server.ts';

const ROUNDS = 300;
const BATCH = 2000;

/** Questions of a kind; each round asks another, so that no cache answers. */
export interface Kind {
  name: string;
  question: (round: number) => { q?: string; filter: ScreenFilter };
}

export const KINDS: readonly Kind[] = [
  { name: 'no filter, newest first', question: () => ({ filter: {} }) },
  { name: 'pattern + platform', question: () => ({ filter: { pattern: ['paywall'], platform: 'IOS' } }) },
  { name: 'q (one word, by relevance)', question: (round) => ({ q: wordOf(round), filter: {} }) },
  { name: 'colours', question: (round) => ({ filter: { colors: [colorOf(round)] } }) },
  {
    name: 'q + pattern + colours',
    question: (round) => ({
      q: wordOf(round),
      filter: { pattern: ['paywall', 'checkout'], colors: [colorOf(round)] },
    }),
  },
];

/** REST search over HTTP beside the engine in process and the bare SQLite query, at each size. */
export async function benchSearch(sizes: readonly number[]): Promise<void> {
  const rows: string[][] = [];
  const memory: string[] = [];
  for (const size of sizes) {
    const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
    try {
      await fill(dataDir, size);
      const server = await startServer(dataDir);
      try {
        for (const kind of KINDS) rows.push(await compare(dataDir, server, kind, size));
        memory.push(`${size.toLocaleString('en')} screens: ${(await server.memoryMB()).toFixed(0)} MB`);
      } finally {
        await server.stop();
      }
    } finally {
      await rm(dataDir, { recursive: true });
    }
  }
  printTable(
    [
      'screens',
      'question',
      'HTTP p50',
      'HTTP p99',
      'engine p50',
      'HTTP adds',
      'bare SQLite p50',
      'engine / bare',
    ],
    rows,
  );
  process.stdout.write(`Memory of the server after all of them: ${memory.join('; ')}\n\n`);
}

/**
 * Puts generated screens into a library and its indexes.
 * @param options.wordsOnly leaves out what search by meaning needs, which takes far longer to make
 */
export async function fill(
  dataDir: string,
  size: number,
  { wordsOnly = false, ...engines }: Pick<Config, 'elasticsearch'> & { wordsOnly?: boolean } = {},
): Promise<void> {
  const open = await openLibrary({
    dataDir,
    storageUrl: 'http://127.0.0.1/files',
    embeddingModel: 'builtin',
    ocrWorkers: 1,
    ...engines,
  });
  let batch = [];
  for (const { embeddingId = '', ...screen } of generateScreens(size)) {
    batch.push(wordsOnly ? screen : { ...screen, embeddingId });
    if (batch.length === BATCH) await open.stores.catalogue.save({ screens: batch.splice(0) });
  }
  await open.stores.catalogue.save({ screens: batch });
  await indexPending(open.library, 'text');
  await indexPending(open.library, 'vectors');
  await open.close();
}

async function compare(dataDir: string, server: RunningServer, kind: Kind, size: number): Promise<string[]> {
  const file = join(dataDir, 'index.db');
  const engine = await createSqliteSearch({ file });
  const bare = new DatabaseSync(file, { readOnly: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = await sideBySide(ROUNDS, {
    http: (round) => getJson(agent, server, kind.question(3 * round)),
    engine: (round) => ask(engine, kind.question(3 * round + 1)),
    bare: (round) => askBare(bare, kind.question(3 * round + 2)),
  });
  agent.destroy();
  bare.close();
  await engine.close();
  const { http, engine: inProcess, bare: sqlite } = times;
  return [
    size.toLocaleString('en'),
    kind.name,
    ms(http.p50),
    ms(http.p99),
    ms(inProcess.p50),
    ms(http.p50 - inProcess.p50),
    ms(sqlite.p50),
    ratio(inProcess.p50, sqlite.p50),
  ];
}

function ask(
  engine: Awaited<ReturnType<typeof createSqliteSearch>>,
  { q, filter }: ReturnType<Kind['question']>,
) {
  const terms = parseQuery(q ?? '');
  const order = terms.length > 0 ? ({ by: 'relevance', offset: 0 } as const) : ({ by: 'newest' } as const);
  return engine.search({ terms, filter, limit: 21, order });
}

/** What anyone would send by hand: the word as it stands, the same filters, one page and the count. */
function askBare(database: DatabaseSync, { q, filter }: ReturnType<Kind['question']>): void {
  const selection: Selection = { filter, ...(q === undefined ? {} : { match: `"${q}"` }) };
  const count = countStatement(selection);
  const page = newestStatement(selection);
  database.prepare(count.sql).get(...count.values);
  database.prepare(`${page.sql} LIMIT 21`).all(...page.values);
}

/** Asks over HTTP as a client that keeps its connections. */
export function getJson(
  agent: Agent,
  server: RunningServer,
  { q, filter }: ReturnType<Kind['question']>,
): Promise<void> {
  const query = new URLSearchParams();
  if (q !== undefined) query.set('q', q);
  if (filter.platform !== undefined) query.set('platform', filter.platform);
  for (const pattern of filter.pattern ?? []) query.append('pattern', pattern);
  for (const color of filter.colors ?? []) query.append('colors', color);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` };
    get(`${server.url}/api/v1/screens?${query.toString()}`, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`The server answered ${response.statusCode}.`)),
      );
    }).on('error', reject);
  });
}

function wordOf(round: number): string {
  return searchedWord(createRandom(round + 1));
}

function colorOf(round: number): string {
  return `#${((round * 2_654_435_761) % 2 ** 24).toString(16).padStart(6, '0').toUpperCase()}`;
}
