import { createCommand, runCommand } from '../command.ts';
import { extractSample, writeExtracted } from './extracted.ts';

const command = createCommand(
  'sample:extract',
  'Read the text of the sample images that sample/extracted.jsonl does not have yet.',
)
  .option('--all', 'read every image anew')
  .action(async ({ all = false }: { all?: boolean }) => {
    const { lines, read } = await extractSample({ all });
    writeExtracted(lines);
    process.stdout.write(`${lines.length} images, ${read} of them read now\n`);
  });

await runCommand(command);
