import { setTimeout as sleep } from 'node:timers/promises';
import { readVectorVersions, readVersions } from '../src/library/indexed-versions.ts';
import type { Catalogue } from '../src/ports/catalogue.ts';
import type { OpenLibrary } from '../src/wire.ts';
import { createCommand, runCommand, withLibrary } from './command.ts';

const SHOWN_PER_KIND = 20;
const SECOND_LOOK_MS = 3000;

const command = createCommand(
  'doctor',
  'Compare catalogue, text index, vectors and image files; exit 1 and a list when they differ.',
).action(async () => {
  const differences = await withLibrary(async (open) => {
    const first = await look(open);
    if (first.length === 0) return first;
    // What a running server is just writing differs for a moment; what is wrong still is.
    await sleep(SECOND_LOOK_MS);
    const second = new Set(await look(open));
    return first.filter((line) => second.has(line));
  });
  if (differences.length === 0) {
    process.stdout.write('No difference.\n');
    return;
  }
  for (const line of differences.slice(0, SHOWN_PER_KIND * 4)) process.stdout.write(`${line}\n`);
  process.stdout.write(`${differences.length} differences.\n`);
  process.exitCode = 1;
});

await runCommand(command);

async function look({ library, stores, images }: OpenLibrary): Promise<string[]> {
  const { catalogue } = stores;
  return [
    ...compare(await readVersions(catalogue), await readVersions(library.search), 'text index'),
    ...compare(await readVersions(catalogue), await readVectorVersions(library.vectors), 'vectors'),
    ...(await compareImages(catalogue, images)),
    ...(await unfinished(catalogue, stores.journal)),
  ];
}

function compare(expected: Map<string, number>, found: Map<string, number>, name: string): string[] {
  const differences: string[] = [];
  for (const [id, version] of expected) {
    const indexed = found.get(id);
    if (indexed === undefined) differences.push(`${name}: screen ${id} is missing; npm run reindex adds it`);
    else if (indexed !== version)
      differences.push(`${name}: screen ${id} is out of date; npm run reindex mends it`);
  }
  for (const id of found.keys()) {
    if (!expected.has(id))
      differences.push(`${name}: screen ${id} is not in the catalogue; npm run reindex drops it`);
  }
  return differences;
}

async function compareImages(
  catalogue: Catalogue,
  images: { list(): AsyncIterable<string> },
): Promise<string[]> {
  const expected = new Set(await catalogue.imageKeys());
  const found = new Set<string>();
  for await (const key of images.list()) found.add(key);
  return [
    ...[...expected.difference(found)].map((key) => `images: ${key} is missing; ingest its screen again`),
    ...[...found.difference(expected)].map((key) => `images: ${key} belongs to no screen`),
  ];
}

async function unfinished(catalogue: Catalogue, journal: { images(): Promise<string[]> }): Promise<string[]> {
  const pending = [...(await catalogue.pending('text', 1)), ...(await catalogue.pending('vectors', 1))];
  const interrupted = await journal.images();
  return [
    ...pending.map(
      ({ target, screenId }) =>
        `${target}: index work is pending, first of screen ${screenId}; a running server or npm run reindex does it`,
    ),
    ...(interrupted.length > 0
      ? [`ingest: ${interrupted.length} images are unfinished; run the same npm run ingest again`]
      : []),
  ];
}
