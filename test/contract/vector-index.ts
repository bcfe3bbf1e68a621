import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { colorDistance } from '../../src/domain/color.ts';
import { EngineUnavailableError } from '../../src/domain/errors.ts';
import type { ScreenFilter } from '../../src/domain/query.ts';
import { PLATFORMS } from '../../src/domain/vocabulary.ts';
import { embeddingIdOf } from '../../src/ingest/embedding-id.ts';
import type { Rebuildable } from '../../src/ports/index-rebuild.ts';
import type {
  VectorIndex,
  VectorIndexInMaking,
  VectorPoint,
  VectorSpaces,
} from '../../src/ports/vector-index.ts';

export const SPACES: VectorSpaces = { modelId: 'model-a', sizes: { text: 6, visual: 8 } };

type RebuildableVectors = VectorIndex & Rebuildable<VectorIndexInMaking>;

/** Handles on one store, each opened as another process would. */
export interface OpenVectors {
  open(options?: { spaces?: VectorSpaces; forRebuild?: boolean }): Promise<RebuildableVectors>;
  close(): Promise<void>;
}

export function point(screenId: string, changes: Partial<VectorPoint> = {}): VectorPoint {
  return {
    screenId,
    embeddingId: embeddingIdOf(screenId),
    version: 1,
    vectors: { text: Float32Array.of(1, 0, 0, 0, 0, 0), visual: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0) },
    appId: 'app',
    platform: 'IOS',
    pattern: ['paywall'],
    colors: ['#FFFFFF'],
    ...changes,
  };
}

const RENAMED = { ...SPACES, modelId: 'model-b' };
const text = (...values: number[]) => ({ text: Float32Array.from(values), visual: null });

/** What src/ports/vector-index.ts promises, run on every engine. */
export function vectorIndexContract(name: string, start: () => Promise<OpenVectors>): void {
  describe(`vectors: ${name}`, () => {
    let store: OpenVectors;
    let index: RebuildableVectors;
    beforeEach(async () => {
      store = await start();
      index = await store.open();
    });
    afterEach(async () => {
      await index.close();
      await store.close();
    });

    const near = (vector: number[], filter: ScreenFilter = {}, limit = 10) =>
      index.query({ space: 'text', vector: Float32Array.from(vector), filter, limit });
    const ids = async (filter: ScreenFilter) =>
      (await near([1, 0, 0, 0, 0, 0], filter)).map((hit) => hit.screenId);

    it('answers by cosine, best first, whatever the lengths; equals by screen id', async () => {
      await index.upsert([
        point('c', { vectors: text(3, 0, 0, 0, 0, 0) }),
        point('a', { vectors: text(0.1, 0, 0, 0, 0, 0) }),
        point('half', { vectors: text(1, 1, 0, 0, 0, 0) }),
        point('opposite', { vectors: text(-5, 0, 0, 0, 0, 0) }),
        point('none', { vectors: { text: null, visual: null } }),
        point('zero', { vectors: text(0, 0, 0, 0, 0, 0) }),
      ]);
      const hits = await near([20, 0, 0, 0, 0, 0]);
      expect(hits.map((hit) => hit.screenId)).toEqual(['a', 'c', 'half', 'opposite']);
      expect(hits.map((hit) => hit.score)).toEqual(
        [1, 1, expect.closeTo(Math.SQRT1_2, 5), -1].map((value) =>
          typeof value === 'number' ? (expect.closeTo(value, 5) as number) : value,
        ),
      );
      expect(await near([1, 0, 0, 0, 0, 0], {}, 1)).toHaveLength(1);
    });

    it('leaves out hits below minScore', async () => {
      await index.upsert([point('a'), point('b', { vectors: text(1, 1, 0, 0, 0, 0) })]);
      const query = {
        space: 'text' as const,
        vector: Float32Array.of(1, 0, 0, 0, 0, 0),
        filter: {},
        limit: 9,
      };
      expect(await index.query({ ...query, minScore: 0.9 })).toHaveLength(1);
    });

    it('keeps both spaces apart', async () => {
      await index.upsert([
        point('a', { vectors: { text: null, visual: Float32Array.of(0, 9, 0, 0, 0, 0, 0, 0) } }),
        point('b', { vectors: { text: Float32Array.of(0, 1, 0, 0, 0, 0), visual: null } }),
      ]);
      const vector = Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0);
      const hits = await index.query({ space: 'visual', vector, filter: {}, limit: 9 });
      expect(hits).toEqual([{ screenId: 'a', score: expect.closeTo(1, 5) as number }]);
    });

    it('gives back one screen’s vector, normalised', async () => {
      await index.upsert([point('a', { vectors: text(0, 3, 4, 0, 0, 0) })]);
      const found = await index.vector('a', 'text');
      expect([...(found ?? [])].slice(1, 3)).toEqual([expect.closeTo(0.6, 5), expect.closeTo(0.8, 5)]);
      expect(await index.vector('a', 'visual')).toBeUndefined();
      expect(await index.vector('ghost', 'text')).toBeUndefined();
    });

    it('filters by every filter, alone and together, before it ranks', async () => {
      await index.upsert([
        point('a'),
        point('b', {
          appId: 'other',
          platform: 'WEB',
          pattern: ['settings', 'list'],
          colors: ['#1A73E8', '#FFFFFF'],
        }),
        point('c', { platform: 'WEB', pattern: [], colors: ['#1A73E6'], vectors: text(0, 0, 0, 0, 0, 1) }),
      ]);
      expect(await ids({ appId: 'other' })).toEqual(['b']);
      expect(await ids({ platform: 'WEB' })).toEqual(['b', 'c']);
      expect(await ids({ pattern: ['list', 'paywall'] })).toEqual(['a', 'b']);
      expect(await ids({ colors: ['#1A73E8'] })).toEqual(['b', 'c']);
      expect(await ids({ colors: ['#1A73E8'], colorTolerance: 0 })).toEqual(['b']);
      expect(await ids({ colors: ['#1A73E8', '#FFFFFF'] })).toEqual(['b']);
      expect(await ids({ excludeIds: ['a', 'ghost'] })).toEqual(['b', 'c']);
      expect(await ids({ platform: 'WEB', appId: 'app', colors: ['#1A73E8'] })).toEqual(['c']);
      expect(await ids({ appId: 'nobody' })).toEqual([]);
      // The one screen that passes is far from the question: filtering after ranking would lose it.
      const worst = await index.query({
        space: 'text',
        vector: Float32Array.of(1, 0, 0, 0, 0, 0),
        filter: { pattern: ['only'] },
        limit: 1,
      });
      expect(worst).toEqual([]);
      await index.upsert([point('far', { pattern: ['only'], vectors: text(-1, 0, 0, 0, 0, 0) })]);
      expect((await near([1, 0, 0, 0, 0, 0], { pattern: ['only'] }, 1))[0]?.screenId).toBe('far');
    });

    it('replaces points by newer versions only; the same again is a no-op', async () => {
      await index.upsert([point('a', { version: 5, appId: 'new' })]);
      await index.upsert([point('a', { version: 4, appId: 'old' })]);
      await index.upsert([point('a', { version: 5, appId: 'same' })]);
      expect(await ids({ appId: 'new' })).toEqual(['a']);
      await index.upsert([point('a', { version: 6, appId: 'newer' })]);
      expect(await ids({ appId: 'newer' })).toEqual(['a']);
      expect(await ids({ appId: 'new' })).toEqual([]);
      expect(await index.count()).toBe(1);
    });

    it('removes points and takes them again', async () => {
      await index.upsert(['a', 'b', 'c'].map((id) => point(id)));
      await index.remove(['a', 'ghost']);
      expect(await ids({})).toEqual(['b', 'c']);
      expect(await index.vector('a', 'text')).toBeUndefined();
      await index.upsert([point('a')]);
      expect(await ids({})).toEqual(['a', 'b', 'c']);
      await index.remove(['a', 'b', 'c']);
      expect(await ids({})).toEqual([]);
      expect(await index.count()).toBe(0);
    });

    it('lists every id with its version once, page by page', async () => {
      const versions = ['b', 'a', 'c', 'd', 'e'].map((id, version) => ({ id, version }));
      await index.upsert(versions.map(({ id, version }) => point(id, { version })));
      const listed: { id: string; version: number }[] = [];
      let after: string | undefined;
      do {
        const page = await index.list(after, 2);
        expect(page.entries.length).toBeLessThanOrEqual(2);
        listed.push(...page.entries);
        after = page.next;
      } while (after !== undefined);
      expect(listed.toSorted((one, other) => one.version - other.version)).toEqual(versions);
    });

    it('refuses a vector of another size, naming both, and writes nothing of the batch', async () => {
      const odd = point('b', { vectors: text(1, 2) });
      await expect(index.upsert([point('a'), odd])).rejects.toThrow(/6 numbers; this one has 2/);
      expect(await index.count()).toBe(0);
      await expect(near([1, 2, 3])).rejects.toThrow(/6 numbers; this one has 3/);
    });

    it('sees at once what another process wrote', async () => {
      await index.upsert([point('a')]);
      expect(await ids({})).toEqual(['a']);
      const other = await store.open();
      await other.upsert([point('b')]);
      expect(await ids({})).toEqual(['a', 'b']);
      await other.remove(['a']);
      expect(await ids({})).toEqual(['b']);
      await other.close();
    });

    it('refuses vectors of another model or size with the command that mends it', async () => {
      await index.upsert([point('a')]);
      await expect(store.open({ spaces: RENAMED })).rejects.toThrow(
        /model-a.*model-b.*npm run reindex -- --vectors/s,
      );
      const resized = { ...SPACES, sizes: { text: 7, visual: 8 } };
      await expect(store.open({ spaces: resized })).rejects.toThrow(/reindex/);
      await index.remove(['a']);
      const taken = await store.open({ spaces: RENAMED });
      await taken.upsert([point('b')]);
      expect(await taken.count()).toBe(1);
      await taken.close();
    });

    it('is rebuilt while it serves: reads see the old one, writes reach both, until it is promoted', async () => {
      await index.upsert([point('kept'), point('stale')]);
      const other = await store.open();
      const rebuild = await other.rebuild();
      expect(rebuild.resumed).toBe(false);
      expect(await rebuild.next.count()).toBe(0);
      await rebuild.next.upsert([point('kept', { version: 2 })]);
      await index.upsert([point('during')]);
      await index.remove(['stale']);
      await index.upsert([point('kept', { version: 1, appId: 'older' })]);
      expect(await ids({})).toEqual(['during', 'kept']);
      expect((await rebuild.next.list(undefined, 9)).entries.toSorted(byId)).toEqual([
        { id: 'during', version: 1 },
        { id: 'kept', version: 2 },
      ]);
      await rebuild.promote();
      expect((await index.list(undefined, 9)).entries.toSorted(byId)).toEqual([
        { id: 'during', version: 1 },
        { id: 'kept', version: 2 },
      ]);
      await index.upsert([point('after')]);
      expect(await rebuild.next.count()).toBe(3);
      await rebuild.close();
      expect(await ids({})).toEqual(['after', 'during', 'kept']);
      await other.close();
    });

    it('takes up a rebuild that was interrupted, and begins anew after one that was finished', async () => {
      await index.upsert([point('a')]);
      const first = await index.rebuild();
      await first.next.upsert([point('a')]);
      await first.close();
      const second = await index.rebuild();
      expect(second.resumed).toBe(true);
      expect(await second.next.count()).toBe(1);
      await second.promote();
      await second.close();
      const third = await index.rebuild();
      expect(third.resumed).toBe(false);
      expect(await third.next.count()).toBe(0);
      await third.close();
      expect(await ids({})).toEqual(['a']);
    });

    it('never mixes models: one is served until the other is promoted, and then refused to those who ask with the old', async () => {
      await index.upsert([point('a')]);
      const renamed = await store.open({ spaces: RENAMED, forRebuild: true });
      const rebuild = await renamed.rebuild();
      await rebuild.next.upsert([point('b')]);
      // What the first model makes goes to its own vectors only.
      await index.upsert([point('c')]);
      expect(await rebuild.next.count()).toBe(1);
      expect(await ids({})).toEqual(['a', 'c']);
      await rebuild.promote();
      await expect(ids({})).rejects.toThrow(EngineUnavailableError);
      await expect(index.upsert([point('d')])).rejects.toThrow(EngineUnavailableError);
      await expect(index.vector('a', 'text')).rejects.toThrow(EngineUnavailableError);
      await rebuild.close();
      await renamed.close();
      const reopened = await store.open({ spaces: RENAMED });
      expect((await reopened.list(undefined, 9)).entries).toEqual([{ id: 'b', version: 1 }]);
      await reopened.close();
    });

    it('equals a plain comparison of everything, over 2,000 random points and 100 questions', async () => {
      const random = createRandom(3);
      const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
      const vector = () => Array.from({ length: 6 }, () => random() - 0.5);
      const points = Array.from({ length: 2000 }, (_, number) =>
        point(`p${number}`, {
          vectors: text(...vector()),
          appId: pick(['x', 'y', 'z']),
          platform: pick(PLATFORMS),
          pattern: [pick(['a', 'b', 'c', 'd'])],
          colors: [pick(['#FFFFFF', '#000000', '#1A73E8', '#D93025']), pick(['#1A73E0', '#0B8043'])],
        }),
      );
      await index.upsert(points.slice(0, 1200));
      await index.upsert(points.slice(1200));
      for (let question = 0; question < 100; question += 1) {
        const query = vector();
        const filter: ScreenFilter = {
          ...(random() < 0.3 ? { appId: pick(['x', 'y']) } : {}),
          ...(random() < 0.3 ? { platform: pick(PLATFORMS) } : {}),
          ...(random() < 0.3 ? { pattern: [pick(['a', 'b']), 'c'] } : {}),
          ...(random() < 0.3 ? { colors: ['#1A73E8'], colorTolerance: pick([0, 2, 20]) } : {}),
        };
        const expected = points
          .filter((candidate) => passes(candidate, filter))
          .map((candidate) => ({ id: candidate.screenId, score: cosine(query, candidate.vectors.text!) }))
          .toSorted((one, other) => other.score - one.score)
          .slice(0, 10);
        const found = await near(query, filter);
        expect(found.map((hit) => hit.screenId)).toEqual(expected.map((hit) => hit.id));
      }
    });
  });
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}

function passes(
  candidate: VectorPoint,
  { appId, platform, pattern, colors, colorTolerance = 10 }: ScreenFilter,
): boolean {
  return (
    (appId === undefined || candidate.appId === appId) &&
    (platform === undefined || candidate.platform === platform) &&
    (pattern === undefined || candidate.pattern.some((value) => pattern.includes(value))) &&
    (colors ?? []).every((wanted) =>
      candidate.colors.some((hex) => colorDistance(hex, wanted) <= colorTolerance),
    )
  );
}

function cosine(one: readonly number[], other: Float32Array): number {
  const product = one.reduce((sum, value, place) => sum + value * other[place]!, 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}

/** Linear congruential, with the constants of Numerical Recipes: the same questions every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
