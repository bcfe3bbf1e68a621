import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readGlossary } from './train/glossary.ts';
import { trainModel } from './train/train.ts';
import { readWordnet } from './train/wordnet.ts';

/**
 * `npm run train-model` trains the built-in embedding model and writes models/builtin.
 * With `--verify` it writes nothing and exits 1 when what is there differs from what training gives.
 */
const models = join(import.meta.dirname, '..', 'models');
const verify = process.argv.includes('--verify');
const started = performance.now();
const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;

const files = trainModel({
  entries: await readGlossary(join(models, 'glossary')),
  senses: await readWordnet(),
  onStep: (step) => console.log(`${seconds()}  ${step}`),
});
const differing: string[] = [];
for (const [name, bytes] of Object.entries(files)) {
  const path = join(models, 'builtin', name);
  if (verify) {
    const existing = await readFile(path).catch(() => Buffer.alloc(0));
    if (!existing.equals(bytes)) differing.push(name);
  } else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  console.log(`${name}  ${bytes.length} bytes`);
}
console.log(`Trained in ${seconds()}.`);
if (differing.length > 0) {
  console.error(`Differs from what training gives: ${differing.join(', ')}. Run: npm run train-model`);
  process.exitCode = 1;
}
