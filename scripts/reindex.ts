import { reindex } from '../src/library/reindex.ts';
import { INDEX_TARGETS } from '../src/ports/catalogue.ts';
import { createCommand, runCommand, withLibrary } from './command.ts';
import { createProgress } from './progress.ts';

const command = createCommand(
  'reindex',
  'Build the text index and the vectors anew from the catalogue, while servers go on. Interrupted, it goes on where it stopped.',
)
  .option('--text', 'the text index only')
  .option('--vectors', 'the vectors only')
  .action(async (options: { text?: true; vectors?: true }) => {
    const both = options.text === undefined && options.vectors === undefined;
    await withLibrary(
      async ({ library, rebuildable, stores }) => {
        for (const target of INDEX_TARGETS) {
          if (!both && options[target] === undefined) continue;
          const progress = createProgress(target, await stores.catalogue.countScreens());
          const { screens } = await reindex(library, rebuildable, target, (done) => progress.update(done));
          progress.stop();
          process.stdout.write(`${target}: ${screens} screens, in use from now on.\n`);
        }
      },
      { forRebuild: true },
    );
  });

await runCommand(command);
