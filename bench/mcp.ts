import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findScreens, type FindMode } from '../src/library/find-screens.ts';
import { openLibrary, type OpenLibrary } from '../src/wire.ts';
import { createRandom, generateScreens, searchedWord } from './generate.ts';
import { createMcpCaller, type McpCaller } from './mcp-caller.ts';
import { ms, printTable, ratio, sideBySideUnderLoad } from './measure.ts';
import { fill } from './search.ts';
import { freePort, startServer } from './server.ts';

const SCREENS = 10_000;
const REQUESTS = 512;
const CONCURRENCY = 8;
const HITS = 10;
const START_TIMEOUT_MS = 300_000;
const PEER = join(import.meta.dirname, 'mcp-server-qdrant');

/**
 * Searching over MCP beside the same use case called in process, and beside the package mcp-server-qdrant in its local
 * mode over the same vectors.
 */
export async function benchMcp(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    await fill(dataDir, SCREENS);
    const storageUrl = 'http://127.0.0.1/files';
    const open = await openLibrary({ dataDir, storageUrl, embeddingModel: 'builtin', ocrWorkers: 1 });
    // The other server first: where Python lacks something, nothing else has been started.
    const peer = await startPeer(open);
    const server = await startServer(dataDir);
    const authorization = `Bearer ${await server.mcpToken()}`;
    const ours = Array.from({ length: CONCURRENCY }, () =>
      createMcpCaller(`${server.url}/mcp`, { authorization }),
    );
    const ask = (mode: FindMode, round: number) =>
      findScreens(open.library, { query: queryOf(round), mode, filter: {}, limit: HITS });
    const call = (mode: FindMode, round: number) =>
      callerOf(ours, round).call('search_screens', { query: queryOf(round), mode, limit: HITS });
    try {
      const { inProcess, mcp, qdrant, hybridInProcess, hybridMcp } = await sideBySideUnderLoad(
        { concurrency: CONCURRENCY, requests: REQUESTS },
        {
          inProcess: (round) => ask('semantic', round),
          mcp: (round) => call('semantic', round),
          qdrant: (round) => callerOf(peer.callers, round).call('qdrant-find', { query: queryOf(round) }),
          hybridInProcess: (round) => ask('hybrid', round),
          hybridMcp: (round) => call('hybrid', round),
        },
      );
      const rate = ({ perSecond }: { perSecond: number }) => perSecond.toFixed(0);
      printTable(
        [
          'search by',
          'in process, a second',
          'over MCP, a second',
          'p50',
          'MCP / in process',
          'mcp-server-qdrant, a second',
          'p50',
          'MCP / mcp-server-qdrant',
        ],
        [
          [
            'meaning',
            rate(inProcess),
            rate(mcp),
            ms(mcp.p50),
            ratio(mcp.perSecond, inProcess.perSecond),
            rate(qdrant),
            ms(qdrant.p50),
            ratio(mcp.perSecond, qdrant.perSecond),
          ],
          [
            'words and meaning',
            rate(hybridInProcess),
            rate(hybridMcp),
            ms(hybridMcp.p50),
            ratio(hybridMcp.perSecond, hybridInProcess.perSecond),
            '',
            '',
            '',
          ],
        ],
      );
    } finally {
      for (const caller of ours) caller.close();
      await peer.stop();
      await server.stop();
      await open.close();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** Each round asks something else, so that no cache answers. */
function queryOf(round: number): string {
  const random = createRandom(round + 1);
  return `${searchedWord(random)} ${searchedWord(random)} ${searchedWord(random)}`;
}

function callerOf(callers: readonly McpCaller[], round: number): McpCaller {
  return callers[round % callers.length]!;
}

interface Peer {
  callers: McpCaller[];
  stop(): Promise<void>;
}

/** The other server, with the vectors that this library has. Its Python packages are installed by pip at the first run. */
async function startPeer({ library }: OpenLibrary): Promise<Peer> {
  const python = await installPeer();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const rounds = Array.from({ length: REQUESTS * 2 }, (_, round) => queryOf(round));
  const queries = [...new Set(rounds)];
  const documents: string[] = [];
  const vectors: Float32Array[] = [];
  for (const { id, ocrText = '' } of generateScreens(SCREENS)) {
    const vector = await library.vectors.vector(id, 'text');
    if (vector === undefined) continue;
    documents.push(`${id} ${ocrText}`);
    vectors.push(vector);
  }
  const { dims } = library.embedder;
  const asked = await library.embedder.embed(queries, 'query');
  vectors.push(...asked.map((vector) => vector ?? new Float32Array(dims).fill(1)));
  await writeFile(join(folder, 'meta.json'), JSON.stringify({ dims, documents, queries }));
  await writeFile(
    join(folder, 'vectors.f32'),
    Buffer.concat(vectors.map((vector) => Buffer.from(vector.slice().buffer))),
  );

  const port = await freePort();
  const child = spawn(python, [join(PEER, 'serve.py'), folder, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // It answers the path without the last slash with a redirect.
  const url = `http://127.0.0.1:${port}/mcp/`;
  await untilListening(url, () => child.exitCode);
  const callers = Array.from({ length: CONCURRENCY }, () => createMcpCaller(url, {}));
  return {
    callers,
    async stop() {
      for (const caller of callers) caller.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** @returns the interpreter that has the packages */
async function installPeer(): Promise<string> {
  const venv = join(tmpdir(), 'vitrine-bench-mcp-server-qdrant');
  const python = join(venv, 'bin/python');
  const done = join(venv, 'installed');
  const installed = await access(done).then(
    () => true,
    () => false,
  );
  if (installed) return python;
  await rm(venv, { recursive: true, force: true });
  await mkdir(venv);
  await run('python3', ['-m', 'venv', venv]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '-r', join(PEER, 'requirements.txt')]);
  await writeFile(done, '');
  return python;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with exit code ${code}.`);
}

async function untilListening(url: string, exitCode: () => number | null): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end;) {
    if (exitCode() !== null) throw new Error(`mcp-server-qdrant ended with exit code ${exitCode()}.`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('mcp-server-qdrant does not answer.');
}
