import { indexPending } from '../src/library/index-pending.ts';
import { createCommand, runCommand, withLibrary } from './command.ts';
import { createProgress } from './progress.ts';

const command = createCommand('reindex', 'Build the text index and the vectors anew from the catalogue.')
  .option('--text', 'the text index only')
  .option('--vectors', 'the vectors only')
  .action(async (options: { text?: true; vectors?: true }) => {
    const both = options.text === undefined && options.vectors === undefined;
    await withLibrary(
      async ({ library, stores }) => {
        const total = await stores.catalogue.countScreens();
        for (const target of ['text', 'vectors'] as const) {
          if (!both && options[target] === undefined) continue;
          await (target === 'text' ? library.search : library.vectors).clear();
          await stores.catalogue.queueAll(target);
          const progress = createProgress(target, total);
          await indexPending(library, target, { onProgress: ({ done }) => progress.update(done) });
          progress.stop();
        }
      },
      { replaceVectors: true },
    );
  });

await runCommand(command);
