import { openImages } from '../src/wire.ts';
import { writeArchive } from './backup/archive.ts';
import { entriesOf } from './backup/entries.ts';
import { createCommand, runCommand, withStores } from './command.ts';
import { createProgress } from './progress.ts';

const command = createCommand(
  'backup',
  'Write everything precious to one file: catalogue, accounts, keys, images. Servers may go on; the file is as secret as they are.',
)
  .argument('<file>')
  .action((file: string) =>
    withStores(async (stores, config) => {
      const images = await openImages(config, stores);
      try {
        // An original, a picture and a thumbnail each.
        const progress = createProgress('images', (await stores.catalogue.countScreens()) * 3);
        let copied = 0;
        await writeArchive(
          file,
          entriesOf(stores.snapshot, images, () => progress.update((copied += 1))),
        );
        progress.stop();
        process.stdout.write(`${file}: ${copied} images, and all accounts and keys.\n`);
      } finally {
        await images.close();
      }
    }),
  );

await runCommand(command);
