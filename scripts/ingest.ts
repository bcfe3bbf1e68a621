import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIngest } from '../src/ingest/ingest.ts';
import type { IngestReport } from '../src/ingest/report.ts';
import { indexPending } from '../src/library/index-pending.ts';
import { INDEX_TARGETS } from '../src/ports/catalogue.ts';
import { createCommand, runCommand, withLibrary } from './command.ts';
import { createProgress, type Progress } from './progress.ts';

const REJECTS_FILE = 'rejects.jsonl';
/** Exit code of a run that took in what was good and rejected the rest. */
const EXIT_REJECTS = 1;

const command = createCommand('ingest', 'Take in screens and flows from a folder with a manifest and images.')
  .argument('<path>', 'folder with manifest.json, or screens.jsonl and flows.jsonl')
  .option('--dry-run', 'check everything and write nothing')
  .action(async (path: string, { dryRun = false }: { dryRun?: true | false }) => {
    const stopping = new AbortController();
    // The images under way are finished; pressed again, it ends the process at once, which loses nothing either.
    process.once('SIGINT', () => stopping.abort());
    process.once('SIGTERM', () => stopping.abort());
    await withLibrary(async (open, config) => {
      const reader = dryRun ? undefined : await open.openTextReader();
      try {
        let progress: Progress | undefined;
        const ingest = createIngest({
          catalogue: open.stores.catalogue,
          journal: open.stores.journal,
          images: open.images,
          reader,
          onProgress: ({ done, total }) => {
            progress ??= createProgress('screens', total);
            progress.update(done);
          },
        });
        const report = await ingest.run(path, { dryRun, signal: stopping.signal });
        progress?.stop();
        for (const target of INDEX_TARGETS) await indexPending(open.library, target);
        await writeRejects(join(config.dataDir, REJECTS_FILE), report);
        print(report, dryRun);
        if (report.rejects.length > 0) process.exitCode = EXIT_REJECTS;
      } finally {
        await reader?.close();
      }
    });
  });

await runCommand(command);

/** The file tells of the last run: none is there when nothing was rejected. */
async function writeRejects(file: string, { rejects }: IngestReport): Promise<void> {
  if (rejects.length === 0) await rm(file, { force: true });
  else await writeFile(file, rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''));
}

function print(report: IngestReport, dryRun: boolean): void {
  const { screens, flows, rejects, nearDuplicates, interrupted } = report;
  const line = (text: string) => process.stdout.write(`${text}\n`);
  for (const reject of rejects)
    line(`${reject.place}: ${reject.file === undefined ? '' : `${reject.file} `}${reject.reason}`);
  for (const { screenId, otherId, kind } of nearDuplicates)
    line(`${screenId} and ${otherId} show the same (${kind})`);
  if (dryRun) {
    line(`Checked; ${rejects.length} faults. Nothing was written.`);
    return;
  }
  const counts = (name: string, count: typeof screens) =>
    line(
      `${name}: ${count.added} added, ${count.updated} updated, ${count.unchanged} unchanged, ${count.rejected} rejected`,
    );
  counts('screens', screens);
  counts('flows', flows);
  if (rejects.length > 0) line(`What was rejected is listed in ${REJECTS_FILE} in the data folder.`);
  if (interrupted) line('Interrupted; the same command goes on from here.');
}
