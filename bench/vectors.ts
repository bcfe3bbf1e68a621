import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExactVectors } from '../src/engines/exact-vectors/index.ts';
import type { VectorPoint } from '../src/ports/vector-index.ts';
import { createRandom, generateScreens } from './generate.ts';
import { ms, printTable, ratio, sideBySide } from './measure.ts';

const DIMS = 128;
const LAYOUT_DIMS = 576;
const ROUNDS = 100;
const BATCH = 2000;

/** Nearest screens through the vector engine beside a bare loop over the same numbers. */
export async function benchVectors(count: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const spaces = { modelId: 'bench', sizes: { text: DIMS, visual: LAYOUT_DIMS } };
  const index = await createExactVectors({ file: join(dir, 'vectors.db'), spaces });
  try {
    const table = new Float32Array(count * DIMS);
    const random = createRandom(7);
    let batch: VectorPoint[] = [];
    let row = 0;
    for (const screen of generateScreens(count)) {
      const vector = unit(random);
      table.set(vector, row * DIMS);
      row += 1;
      batch.push({
        screenId: screen.id,
        embeddingId: screen.embeddingId ?? '',
        version: 1,
        vectors: { text: vector, visual: null },
        appId: screen.appId,
        platform: screen.platform,
        pattern: screen.pattern,
        colors: screen.colors.map((color) => color.hex),
      });
      if (batch.length === BATCH) await index.upsert(batch.splice(0));
    }
    await index.upsert(batch);
    batch = [];
    const queries = Array.from({ length: ROUNDS + 1 }, () => unit(random));
    const near = (round: number, filter: Parameters<typeof index.query>[0]['filter']) =>
      index.query({ space: 'text', vector: queries[round]!, filter, limit: 20 });
    const times = await sideBySide(ROUNDS, {
      bare: (round) => scan(table, queries[round]!),
      engine: (round) => near(round, {}),
      filtered: (round) => near(round, { pattern: ['paywall'], platform: 'IOS' }),
    });
    printTable(
      [
        'vectors',
        'engine p50',
        'engine p99',
        'with pattern + platform p50',
        'bare scan p50',
        'engine / bare',
      ],
      [
        [
          `${count.toLocaleString('en')} × ${DIMS}`,
          ms(times.engine.p50),
          ms(times.engine.p99),
          ms(times.filtered.p50),
          ms(times.bare.p50),
          ratio(times.engine.p50, times.bare.p50),
        ],
      ],
    );
  } finally {
    await index.close();
    await rm(dir, { recursive: true });
  }
}

/** The least that any exact search does: one product a number, and the best so far. */
function scan(table: Float32Array, query: Float32Array): number {
  let best = -1;
  for (let offset = 0; offset < table.length; offset += DIMS) {
    let sum = 0;
    for (let place = 0; place < DIMS; place += 1) sum += table[offset + place]! * query[place]!;
    if (sum > best) best = sum;
  }
  return best;
}

function unit(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
