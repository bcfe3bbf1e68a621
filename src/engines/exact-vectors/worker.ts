import { parentPort, workerData } from 'node:worker_threads';
import type { VectorQuery, VectorSpace, VectorSpaces } from '../../ports/vector-index.ts';
import { openDatabase, type Payload } from './database.ts';
import { bytesOf, floatsOf, normalise } from './encoding.ts';
import { createVectorTable, type VectorTable } from './table.ts';

// Holds every vector in memory and compares them here, so that a scan never keeps the thread of HTTP waiting.

/** What the worker is given when it starts. */
export interface WorkerInput {
  file: string;
  spaces: VectorSpaces;
}

/** A question, and the answer under the same number. */
export interface Question {
  number: number;
  query: VectorQuery;
}

const { file, spaces } = workerData as WorkerInput;
const database = openDatabase(file);
const dataVersion = database.prepare('PRAGMA data_version');
const changes = database.prepare(
  'SELECT screen_id, revision, removed, payload, text, visual FROM point WHERE revision > ? ORDER BY revision',
);
const tables: Record<VectorSpace, VectorTable> = {
  text: createVectorTable(spaces.sizes.text, { bytes: false }),
  visual: createVectorTable(spaces.sizes.visual, { bytes: true }),
};
let seenVersion: unknown;
let seenRevision = 0;

/** Reads what any process has written since. SQLite's data version tells for nearly nothing whether there is something. */
function catchUp(): void {
  const version = dataVersion.get()?.['data_version'];
  if (version === seenVersion) return;
  for (const row of changes.iterate(seenRevision)) {
    const screenId = String(row['screen_id']);
    seenRevision = Number(row['revision']);
    const payload = JSON.parse(String(row['payload'])) as Payload;
    put('text', screenId, row['text'], payload);
    put('visual', screenId, row['visual'], payload);
  }
  seenVersion = version;
}

function put(space: VectorSpace, screenId: string, blob: unknown, payload: Payload): void {
  if (!(blob instanceof Uint8Array)) tables[space].remove(screenId);
  else tables[space].set(screenId, space === 'text' ? floatsOf(blob) : bytesOf(blob), payload);
}

parentPort?.on('message', ({ number, query }: Question) => {
  catchUp();
  const { space, vector, filter, limit, minScore } = query;
  const hits = tables[space].nearest(normalise(vector), filter, limit, minScore ?? -Infinity);
  parentPort?.postMessage({ number, hits });
});
