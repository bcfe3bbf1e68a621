import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colorDistance } from '../../src/domain/color.ts';
import { decode } from '../../src/ingest/decode.ts';
import { dominantColors } from '../../src/ingest/dominant-colors.ts';
import { createCommand, runCommand } from '../command.ts';
import { readTruth, SAMPLE_DIR } from './manifest.ts';

const MAX_DISTANCE = 2;
const MIN_BACKGROUNDS = 0.95;

const command = createCommand(
  'sample:colours',
  'Compare the dominant colours of the sample with the backgrounds and accents that the browser computed; exit 1 below the aim.',
)
  .option('--screens', 'print every screen whose colour was not found')
  .action(async (options: { screens?: boolean }) => {
    const tally = { background: { found: 0, of: 0 }, accent: { found: 0, of: 0 } };
    for (const truth of readTruth()) {
      const colors = dominantColors(await decode(readFileSync(join(SAMPLE_DIR, truth.file))));
      for (const kind of ['background', 'accent'] as const) {
        const wanted = truth[kind];
        if (wanted === null) continue;
        const isFound = colors.some(({ hex }) => colorDistance(hex, wanted) <= MAX_DISTANCE);
        tally[kind].of += 1;
        if (isFound) tally[kind].found += 1;
        else if (options.screens === true) {
          const seen = colors.map(({ hex, share }) => `${hex} ${share}`).join(', ');
          process.stdout.write(`${truth.file}: ${kind} ${wanted} is not among ${seen}\n`);
        }
      }
    }
    for (const [kind, { found, of }] of Object.entries(tally)) {
      process.stdout.write(
        `${kind}: ${found} of ${of} within ${MAX_DISTANCE} (${(found / of).toFixed(3)})\n`,
      );
    }
    if (tally.background.found / tally.background.of < MIN_BACKGROUNDS) process.exitCode = 1;
  });

await runCommand(command);
