import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../generate.ts';
import type { RunningServer } from '../server.ts';
import { markerOf } from './fill.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Questions by meaning whose answers may not change: nothing is written into their apps. */
const MEANT = ['paying for a subscription', 'nothing here yet', 'choose a date', 'sign in with a code'];
const SETTLE_TIMEOUT_MS = 60_000;
/** MCP's tokens live for fifteen minutes. */
const TOKEN_RENEWED_MS = 600_000;
const LONGEST_ANSWER_SHOWN = 300;

export interface TrafficReport {
  searches: number;
  /** Searches that were not answered. */
  failed: string[];
  /** Searches that were answered with something else than what is there. */
  wrong: string[];
  writes: number;
  /** Writes that a search does not find, or finds although they were removed. */
  lost: string[];
}

/** Searches over both doors and writes, at a steady rate, until it is stopped. */
export interface Traffic {
  /** Ends both, waits until the server has caught up, and checks every write. */
  stop(): Promise<TrafficReport>;
}

/**
 * @param options.screens how many screens `fillLibrary` made
 * @param options.env settings of the server, for the process that writes
 */
export async function startTraffic(
  server: RunningServer,
  options: {
    screens: number;
    searchesPerSecond: number;
    writesPerSecond: number;
    env: NodeJS.ProcessEnv;
  },
): Promise<Traffic> {
  const { screens, searchesPerSecond, writesPerSecond, env } = options;
  let mcpToken = await server.mcpToken();
  const renewing = setInterval(
    () => void server.mcpToken().then((token) => (mcpToken = token)),
    TOKEN_RENEWED_MS,
  );
  const random = createRandom(5);
  const report: TrafficReport = { searches: 0, failed: [], wrong: [], writes: 0, lost: [] };
  const byMeaning = await Promise.all(MEANT.map((query, app) => searchMeaning(server, mcpToken, query, app)));

  const writer = spawn(process.execPath, [join(ROOT, 'bench/reindex/write.ts'), String(writesPerSecond)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  writer.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const writerEnded = once(writer, 'close');
  await Promise.race([once(writer.stdout, 'data'), writerEnded]);

  async function searchOnce(number: number): Promise<void> {
    if (number % 4 === 0) {
      const which = (number / 4) % MEANT.length;
      const found = await searchMeaning(server, mcpToken, MEANT[which]!, which);
      if (found !== byMeaning[which]) report.wrong.push(`"${MEANT[which]}": ${shorten(found)}`);
      return;
    }
    const id = `generated-${String(Math.floor(random() * screens)).padStart(7, '0')}`;
    const found = await searchMarker(server, markerOf(id));
    if (found !== id) report.wrong.push(`${id}: found ${shorten(found)}`);
  }

  const stopping = new AbortController();
  const asking: Promise<void>[] = [];
  async function ask(): Promise<void> {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const next = sleep(1000 / searchesPerSecond);
      report.searches += 1;
      asking.push(
        searchOnce(number).catch((error: unknown) => {
          report.failed.push(error instanceof Error ? error.message : String(error));
        }),
      );
      await next;
    }
    await Promise.all(asking);
  }
  const asked = ask();

  return {
    async stop() {
      writer.kill('SIGTERM');
      await writerEnded;
      stopping.abort();
      await asked;
      clearInterval(renewing);
      const held = JSON.parse(written) as [id: string, marker: string | null][];
      report.writes = held.length;
      report.lost = await settle(server, held);
      return report;
    },
  };
}

/** What is still not found, or still found, when the server had time to catch up. */
async function settle(server: RunningServer, held: [id: string, marker: string | null][]): Promise<string[]> {
  let open = held;
  for (const end = Date.now() + SETTLE_TIMEOUT_MS; open.length > 0 && Date.now() < end; await sleep(200)) {
    const right = await Promise.all(
      open.map(async ([id, marker]) =>
        marker === null
          ? (await fetchJson(server, `/screens/${id}`)).status === 404
          : (await searchMarker(server, marker).catch(() => '')) === id,
      ),
    );
    open = open.filter((_, place) => right[place] === false);
  }
  return open.map(([id, marker]) => `${id}: ${marker ?? 'was removed'}`);
}

/** The ids that have this word, joined. Throws when there is no answer. */
async function searchMarker(server: RunningServer, marker: string): Promise<string> {
  const { status, body } = await fetchJson(server, `/screens?q=${encodeURIComponent(`"${marker}"`)}`);
  if (status !== 200) throw new Error(`REST answered ${status}: ${shorten(body)}`);
  return (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id).join();
}

async function fetchJson(server: RunningServer, path: string): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
  return { status: answer.status, body: await answer.text() };
}

/** The ids that MCP finds by meaning alone in one app, joined. Throws when there is no answer, or a part is missing. */
async function searchMeaning(
  server: RunningServer,
  mcpToken: string,
  query: string,
  app: number,
): Promise<string> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mcpToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'search_screens',
        arguments: { query, mode: 'semantic', appId: `app-${app}`, limit: 10 },
      },
    }),
  });
  const body = await answer.text();
  const data =
    body
      .split('\n')
      .find((line) => line.startsWith('data: {'))
      ?.slice('data: '.length) ?? body;
  const { result } = JSON.parse(data) as {
    result?: { structuredContent?: { screens: { id: string }[]; missing: string[] } };
  };
  const found = result?.structuredContent;
  if (found === undefined) throw new Error(`MCP answered ${answer.status}: ${shorten(body)}`);
  if (found.missing.length > 0) throw new Error(`MCP answered without ${found.missing.join()}`);
  return found.screens.map(({ id }) => id).join();
}

function shorten(text: string): string {
  return text.slice(0, LONGEST_ANSWER_SHOWN);
}
