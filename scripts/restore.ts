import { reindex } from '../src/library/reindex.ts';
import type { OpenLibrary } from '../src/wire.ts';
import { INDEX_TARGETS } from '../src/ports/catalogue.ts';
import { CONTENT_TYPES } from '../src/ports/image-store.ts';
import type { SnapshotPart } from '../src/ports/snapshot.ts';
import { readArchive, verifyArchive } from './backup/archive.ts';
import { toImageKey, toPart } from './backup/entries.ts';
import { createCommand, runCommand, UsageError, withLibrary } from './command.ts';
import { createProgress } from './progress.ts';

const command = createCommand(
  'restore',
  'Put a backup in the place of everything. Stop the servers first; the engines may be others than those of the backup.',
)
  .argument('<file>')
  .option('--force', 'also when accounts or screens are there, which are lost')
  .action((file: string, { force }: { force?: true }) =>
    withLibrary(
      async (open) => {
        // Nothing is touched before all of it is known to be sound.
        const entries = await verifyArchive(file);
        const { stores, library, rebuildable } = open;
        if (force === undefined && !(await stores.snapshot.isEmpty())) {
          throw new UsageError(
            'There are accounts or screens already. With --force they are lost, and the backup takes their place.',
          );
        }
        const kept = await restoreImages(open, file, entries);
        await stores.snapshot.replace(partsOf(file));
        for await (const key of open.images.list()) if (!kept.has(key)) await open.images.remove(key);
        for (const target of INDEX_TARGETS) {
          const progress = createProgress(target, await stores.catalogue.countScreens());
          await reindex(library, rebuildable, target, (done) => progress.update(done));
          progress.stop();
        }
        process.stdout.write(
          `${file}: ${await stores.catalogue.countScreens()} screens, ${kept.size} images.\n`,
        );
      },
      { forRebuild: true },
    ),
  );

/** Before the rows that name them; an image never changes under its key, so those that are there stay right. */
async function restoreImages({ images }: OpenLibrary, file: string, entries: number): Promise<Set<string>> {
  const progress = createProgress('images', entries);
  const kept = new Set<string>();
  for await (const entry of readArchive(file)) {
    const key = toImageKey(entry);
    if (key === undefined) continue;
    const ending = key.slice(key.lastIndexOf('.') + 1) as keyof typeof CONTENT_TYPES;
    await images.put(key, entry.body, CONTENT_TYPES[ending]);
    kept.add(key);
    progress.update(kept.size);
  }
  progress.stop();
  return kept;
}

async function* partsOf(file: string): AsyncGenerator<SnapshotPart> {
  for await (const entry of readArchive(file)) {
    const part = toPart(entry);
    if (part === undefined) return;
    yield part;
  }
}

await runCommand(command);
