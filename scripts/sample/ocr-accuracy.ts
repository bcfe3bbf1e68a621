import { analyze } from '../../src/domain/text.ts';
import { createCommand, runCommand, UsageError } from '../command.ts';
import { extractSample } from './extracted.ts';
import { readManifest, readTruth } from './manifest.ts';

/** A single letter or digit is a key, a day of a calendar or an icon more often than a word. */
const MIN_WORD_CHARS = 2;
const MIN_RECALL = 0.9;
const MIN_PRECISION = 0.97;

/**
 * Screens whose words are partly in a canvas or a picture (a chart, a table that is drawn, previews of documents, a book in its reader): the
 * browser does not know them, so there is nothing to compare with.
 */
const WORDS_IN_PICTURES = [
  'images/jupyterlab/03-notebook-with-chart.webp',
  'images/jupyterlab/04-find-in-notebook.webp',
  'images/jupyterlab/05-command-palette.webp',
  'images/jupyterlab/06-table-viewer.webp',
  'images/jupyterlab/07-file-menu.webp',
  'images/jupyterlab/14-theme-menu.webp',
  'images/jupyterlab/15-notebook-dark.webp',
  'images/kolibri/12-lesson.webp',
  'images/label-studio/08-labeling-templates.webp',
  'images/mlflow/07-compare.webp',
  'images/mlflow/12-run-artifacts.webp',
  'images/mlflow/13-registry-news.webp',
  'images/node-red/17-dashboard.webp',
];

interface Score {
  screens: number;
  shown: number;
  found: number;
  right: number;
}

const command = createCommand(
  'sample:ocr',
  'Compare the words that OCR finds in the sample with those that the browser showed; exit 1 below the aims.',
)
  .option('--all', 'read every image anew instead of taking over sample/extracted.jsonl')
  .option('--screens', 'print what was missed and what was made up on every screen')
  .action(async (options: { all?: boolean; screens?: boolean }) => {
    const shown = new Set(readTruth().map(({ file }) => file));
    const gone = WORDS_IN_PICTURES.filter((file) => !shown.has(file));
    if (gone.length > 0)
      throw new UsageError(`WORDS_IN_PICTURES names what the sample has not got: ${gone.join(', ')}`);
    const { lines } = await extractSample({ all: options.all === true });
    const texts = new Map(lines.map(({ sha256, text }) => [sha256, text]));
    const platforms = new Map(readManifest().screens.map(({ file, platform }) => [file, platform]));
    const scores = new Map<string, Score>();
    for (const { file, theme, text: truth, sha256 } of readTruth()) {
      const text = texts.get(sha256);
      const platform = platforms.get(file);
      if (text === undefined || platform === undefined || WORDS_IN_PICTURES.includes(file)) continue;
      const compared = compare(wordsOf(truth), wordsOf(text));
      for (const name of [`${platform} ${theme}`, 'all']) {
        const score = scores.get(name) ?? { screens: 0, shown: 0, found: 0, right: 0 };
        score.screens += 1;
        score.shown += compared.shown;
        score.found += compared.found;
        score.right += compared.right;
        scores.set(name, score);
      }
      if (options.screens === true) printScreen(file, compared);
    }
    print(scores);
    process.stdout.write(`left out, with words in pictures: ${WORDS_IN_PICTURES.join(', ')}\n`);
  });

await runCommand(command);

function wordsOf(text: string): string[] {
  return analyze(text)
    .map(({ token }) => token)
    .filter((token) => token.length >= MIN_WORD_CHARS);
}

/** Each word of the screen can be found once, in any order. */
function compare(shown: readonly string[], found: readonly string[]) {
  const missed = [...shown];
  const wrong = found.filter((word) => {
    const at = missed.indexOf(word);
    if (at >= 0) missed.splice(at, 1);
    return at < 0;
  });
  return {
    shown: shown.length,
    found: found.length,
    right: shown.length - missed.length,
    missed,
    wrong,
  };
}

function printScreen(file: string, { shown, found, right, missed, wrong }: ReturnType<typeof compare>): void {
  const [recall, precision] = [right / Math.max(1, shown), right / Math.max(1, found)];
  process.stdout.write(
    `${file} ${recall.toFixed(2)} ${precision.toFixed(2)}\n  missed: ${missed.join(' ')}\n  wrong: ${wrong.join(' ')}\n`,
  );
}

function print(scores: ReadonlyMap<string, Score>): void {
  process.stdout.write('platform, theme    screens   words   recall  precision\n');
  for (const [name, { screens, shown, found, right }] of [...scores].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const recall = right / shown;
    const precision = right / found;
    if (recall < MIN_RECALL || precision < MIN_PRECISION) process.exitCode = 1;
    const columns = [String(screens).padStart(8), String(shown).padStart(7), recall.toFixed(3).padStart(8)];
    process.stdout.write(`${name.padEnd(18)}${columns.join(' ')} ${precision.toFixed(3).padStart(10)}\n`);
  }
}
