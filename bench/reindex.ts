import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readConfig } from '../src/config.ts';
import { createSqliteSearch } from '../src/engines/sqlite-search/index.ts';
import { toDocument } from '../src/library/index-pending.ts';
import { openLibrary } from '../src/wire.ts';
import { generateScreens } from './generate.ts';
import { printTable } from './measure.ts';
import { fillLibrary, markedScreen } from './reindex/fill.ts';
import { lastWordOfDoctor, runCommand } from './reindex/run.ts';
import { startTraffic } from './reindex/traffic.ts';
import { startServer } from './server.ts';

const SEARCHES_PER_SECOND = 20;
const WRITES_PER_SECOND = 5;
const BATCH_SCREENS = 200;

/** Both indexes made anew while searches and writes go on, killed once on the way; and the text engine filled by nothing else. */
export async function benchReindex(screens: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    const open = await openLibrary(readConfig({ DATA_DIR: dataDir }));
    await fillLibrary(open, screens);
    await open.close();
    const server = await startServer(dataDir);
    try {
      const { env } = server;
      const traffic = await startTraffic(server, {
        screens,
        searchesPerSecond: SEARCHES_PER_SECOND,
        writesPerSecond: WRITES_PER_SECOND,
        env,
      });
      const text = await runCommand(['scripts/reindex.ts', '--text'], env);
      const vectors = await runCommand(['scripts/reindex.ts', '--vectors'], env);
      await runCommand(['scripts/reindex.ts'], env, (text.seconds * 1000) / 2);
      const again = await runCommand(['scripts/reindex.ts'], env);
      const report = await traffic.stop();
      const doctor = await lastWordOfDoctor(env);
      const bare = await fillBare(dataDir, screens);

      const row = (name: string, seconds: number) => [
        name,
        `${seconds.toFixed(1)} s`,
        (screens / seconds).toFixed(0),
      ];
      printTable(
        [`${screens.toLocaleString('en')} screens`, 'took', 'screens a second'],
        [
          row('reindex --text, under load', text.seconds),
          row('the text engine filled with ready documents, afterwards', bare),
          row('reindex --vectors, under load', vectors.seconds),
          row('reindex of both, killed and run again', again.seconds),
        ],
      );
      const codes = [text, vectors, again].map(({ code }) => code).join();
      process.stdout.write(
        `Meanwhile ${report.searches} searches, ${report.failed.length} failed, ${report.wrong.length} wrong; ` +
          `${report.writes} screens written, ${report.lost.length} lost. Exit codes ${codes}. Doctor: ${doctor.output}\n`,
      );
      for (const line of [...report.failed, ...report.wrong, ...report.lost])
        process.stdout.write(`- ${line}\n`);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** Seconds that the text engine takes for documents which are ready. */
async function fillBare(dataDir: string, screens: number): Promise<number> {
  const documents = [...generateScreens(screens)].map((screen) =>
    toDocument({ record: markedScreen(screen), version: 1 }),
  );
  const index = await createSqliteSearch({ file: join(dataDir, 'bare.db') });
  const start = performance.now();
  for (let from = 0; from < documents.length; from += BATCH_SCREENS) {
    await index.upsert(documents.slice(from, from + BATCH_SCREENS));
  }
  const seconds = (performance.now() - start) / 1000;
  await index.close();
  return seconds;
}
