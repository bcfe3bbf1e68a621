import { Option } from 'commander';
import { belowFloor } from '../bench/eval/floor.ts';
import { readJudgedQueries } from '../bench/eval/judged.ts';
import { printReport, printWorst } from '../bench/eval/print.ts';
import { runQueries } from '../bench/eval/run-queries.ts';
import { openSampleLibrary } from '../bench/eval/sample-library.ts';
import { summarise } from '../bench/eval/summary.ts';
import { readConfigOrExit } from '../src/config.ts';
import { createCommand, runCommand } from './command.ts';

const command = createCommand('eval', 'Measure search on the judged queries over the sample.')
  .addOption(
    new Option('--part <part>', 'queries to tune on, or to report')
      .choices(['tune', 'report', 'all'])
      .default('all'),
  )
  .option('--queries', 'list the queries that fare worst')
  .option('--floor', 'exit 1 when a figure is below bench/eval/floor.json')
  .action(async ({ part, queries: list, floor }: { part: string; queries?: true; floor?: true }) => {
    const asked = readJudgedQueries().filter((query) => part === 'all' || query.part === part);
    const sample = await openSampleLibrary(readConfigOrExit().embeddingModel);
    try {
      const answered = await runQueries(sample, asked);
      const all = summarise(answered);
      const drawnIds = new Set(sample.screens.filter(({ drawn }) => drawn).map(({ id }) => id));
      const captured = summarise(answered, (id) => !drawnIds.has(id));
      const drawn = summarise(answered, (id) => drawnIds.has(id));
      process.stdout.write(`${sample.library.embedder.modelId}, part ${part}, ${asked.length} queries\n\n`);
      printReport(all, captured, drawn);
      if (list === true) printWorst(answered);
      if (floor !== true) return;
      const faults = belowFloor(all);
      for (const fault of faults) process.stderr.write(`${fault}\n`);
      if (faults.length > 0) process.exitCode = 1;
    } finally {
      await sample.close();
    }
  });

await runCommand(command);
