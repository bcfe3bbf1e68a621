import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowRecord } from '../../src/domain/screen.ts';
import type { Catalogue } from '../../src/ports/catalogue.ts';
import { screenRecord } from '../support/screen-record.ts';

export interface OpenCatalogue {
  catalogue: Catalogue;
  /** Saves screens, each in a transaction of its own, from another process on the same database. */
  saveElsewhere(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

function flowRecord(id: string, screenIds: string[], changes: Partial<FlowRecord> = {}): FlowRecord {
  return {
    id,
    appId: 'app',
    type: 'onboarding',
    name: `Flow ${id}`,
    screenIds,
    capturedAt: '2026-01-02T03:04:05.000Z',
    ...changes,
  };
}

const FULL = screenRecord('full', {
  caption: 'A caption',
  ocrText: 'Some text\nof the screen',
  pHash: '0123456789abcdef',
  embeddingId: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  layout: Int8Array.from({ length: 576 }, (_, index) => (index % 255) - 127),
  colors: [
    { hex: '#FFFFFF', share: 0.6 },
    { hex: '#1A73E8', share: 0.125 },
  ],
  pattern: ['paywall', 'pricing'],
});

/** What src/ports/catalogue.ts promises, run on every engine. */
export function catalogueContract(name: string, open: () => Promise<OpenCatalogue>): void {
  describe(`catalogue: ${name}`, () => {
    let stores: OpenCatalogue;
    let catalogue: Catalogue;
    beforeEach(async () => {
      stores = await open();
      ({ catalogue } = stores);
    });
    afterEach(() => stores.close());

    const ids = async (target: 'text' | 'vectors') =>
      (await catalogue.pending(target, 100)).map((entry) => entry.screenId).toSorted();

    it('gives back every field of a screen as it was saved, and leaves absent ones absent', async () => {
      const bare = screenRecord('bare');
      await catalogue.save({ screens: [FULL, bare] });
      expect(await catalogue.screen('full')).toEqual(FULL);
      expect(await catalogue.screen('bare')).toEqual(bare);
      expect(await catalogue.screen('none')).toBeUndefined();
    });

    it('answers screens in the order asked for, repeated ids repeated, unknown ids left out', async () => {
      await catalogue.save({ screens: ['a', 'b', 'c'].map((id) => screenRecord(id)) });
      const found = await catalogue.screens(['c', 'nope', 'a', 'c']);
      expect(found.map((screen) => screen.id)).toEqual(['c', 'a', 'c']);
      expect(await catalogue.screens([])).toEqual([]);
    });

    it('replaces by id and raises version and revision', async () => {
      expect(await catalogue.revision()).toBe(0);
      await catalogue.save({ screens: [screenRecord('a')] });
      const before = await catalogue.revision();
      await catalogue.save({ screens: [screenRecord('a', { width: 99 })] });
      expect(await catalogue.revision()).toBeGreaterThan(before);
      const [now] = await catalogue.versionedScreens(['a']);
      expect(now?.record.width).toBe(99);
      expect(now?.version).toBe(await catalogue.revision());
      expect(await catalogue.countScreens()).toBe(1);
    });

    it('keeps flows in their order and their screens in order, with repeats', async () => {
      await catalogue.save({
        apps: [{ id: 'app', name: 'App' }],
        screens: ['a', 'b'].map((id) => screenRecord(id)),
        flows: [flowRecord('f', ['b', 'a', 'b'], { description: 'Why' })],
      });
      expect(await catalogue.flow('f')).toEqual(flowRecord('f', ['b', 'a', 'b'], { description: 'Why' }));
      expect(await catalogue.flowsOf('a')).toEqual([
        { flow: flowRecord('f', ['b', 'a', 'b'], { description: 'Why' }), step: 1 },
      ]);
      await catalogue.save({ flows: [flowRecord('f', ['a'])] });
      expect(await catalogue.flow('f')).toEqual(flowRecord('f', ['a']));
      expect(await catalogue.apps()).toEqual([{ id: 'app', name: 'App' }]);
    });

    it('refuses a flow with an unknown screen, or none, and writes nothing of the change', async () => {
      const change = { screens: [screenRecord('a')], flows: [flowRecord('f', ['a', 'ghost'])] };
      await expect(catalogue.save(change)).rejects.toThrow(/unknown screens: ghost/);
      expect(await catalogue.screen('a')).toBeUndefined();
      expect(await catalogue.revision()).toBe(0);
      expect(await ids('text')).toEqual([]);
      await expect(catalogue.save({ flows: [flowRecord('f', [])] })).rejects.toThrow(/no screen/);
    });

    it('filters flows by app, type and the platform of any screen, newest first, page by page', async () => {
      await catalogue.save({
        screens: [screenRecord('i'), screenRecord('w', { platform: 'WEB' })],
        flows: [
          flowRecord('f1', ['i'], { capturedAt: '2026-03-01T00:00:00.000Z' }),
          flowRecord('f2', ['w'], { capturedAt: '2026-02-01T00:00:00.000Z', type: 'checkout' }),
          flowRecord('f3', ['i', 'w'], { capturedAt: '2026-02-01T00:00:00.000Z', appId: 'other' }),
        ],
      });
      const list = async (filter: Parameters<Catalogue['flows']>[0]) =>
        (await catalogue.flows(filter, { limit: 10 })).flows.map((flow) => flow.id);
      expect(await list({})).toEqual(['f1', 'f2', 'f3']);
      expect(await list({ platform: 'WEB' })).toEqual(['f2', 'f3']);
      expect(await list({ platform: 'ANDROID' })).toEqual([]);
      expect(await list({ type: 'checkout' })).toEqual(['f2']);
      expect(await list({ appId: 'other', platform: 'IOS' })).toEqual(['f3']);
      const first = await catalogue.flows({}, { limit: 1 });
      expect(first.total).toBe(3);
      const after = { capturedAt: '2026-02-01T00:00:00.000Z', id: 'f2' };
      expect((await catalogue.flows({}, { limit: 10, after })).flows.map((flow) => flow.id)).toEqual(['f3']);
      expect(await catalogue.flowTypes()).toEqual([
        { value: 'onboarding', count: 2 },
        { value: 'checkout', count: 1 },
      ]);
    });

    it('removes screens with their links and their places in flows; unknown ids are a no-op', async () => {
      await catalogue.save({
        screens: ['a', 'b'].map((id) => screenRecord(id)),
        flows: [flowRecord('f', ['a', 'b'])],
        nearDuplicates: [{ screenId: 'a', otherId: 'b', kind: 'near' }],
      });
      expect(await catalogue.nearDuplicates(['b'])).toEqual([{ screenId: 'a', otherId: 'b', kind: 'near' }]);
      await catalogue.removeScreens(['a', 'ghost']);
      expect(await catalogue.screen('a')).toBeUndefined();
      expect((await catalogue.flow('f'))?.screenIds).toEqual(['b']);
      expect(await catalogue.nearDuplicates(['a', 'b'])).toEqual([]);
    });

    it('drops the links of a screen that shows another picture now, and keeps them otherwise', async () => {
      await catalogue.save({
        screens: ['a', 'b'].map((id) => screenRecord(id)),
        nearDuplicates: [{ screenId: 'a', otherId: 'b', kind: 'near' }],
      });
      await catalogue.save({ screens: [screenRecord('a', { width: 7 })] });
      expect(await catalogue.nearDuplicates(['a'])).toHaveLength(1);
      await catalogue.save({ screens: [screenRecord('b', { sha256: 'f'.repeat(64) })] });
      expect(await catalogue.nearDuplicates(['a'])).toEqual([]);
    });

    it('queues index work with every write, in order of the writes, also for screens of a changed flow', async () => {
      await catalogue.save({ screens: ['a', 'b'].map((id) => screenRecord(id)) });
      expect(await ids('text')).toEqual(['a', 'b']);
      expect(await ids('vectors')).toEqual(['a', 'b']);
      await catalogue.settle(await catalogue.pending('text', 10));
      expect(await ids('text')).toEqual([]);
      await catalogue.save({ flows: [flowRecord('f', ['b'])] });
      expect(await ids('text')).toEqual(['b']);
      await catalogue.removeScreens(['a']);
      expect((await catalogue.pending('text', 10)).map((entry) => entry.screenId)).toEqual(['b', 'a']);
      expect((await catalogue.pending('text', 1)).map((entry) => entry.screenId)).toEqual(['b']);
    });

    it('keeps work that a later write asked for anew while the first was being done', async () => {
      await catalogue.save({ screens: [screenRecord('a')] });
      const seen = await catalogue.pending('text', 10);
      await catalogue.save({ screens: [screenRecord('a', { width: 2 })] });
      await catalogue.settle(seen);
      expect(await ids('text')).toEqual(['a']);
    });

    it('gives each piece of work to one of those who take it, until it is returned, done or left too long', async () => {
      await catalogue.save({ screens: ['a', 'b', 'c', 'd'].map((id) => screenRecord(id)) });
      const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
      const take = async (limit: number, seconds: number) =>
        catalogue.takePending('text', limit, { now: at(seconds), until: at(seconds + 10) });
      const idsOf = (entries: readonly { screenId: string }[]) => entries.map(({ screenId }) => screenId);

      const shares = await Promise.all([take(2, 0), take(2, 0), take(2, 0)]);
      expect(shares.flatMap(idsOf).toSorted()).toEqual(['a', 'b', 'c', 'd']);
      expect(await take(4, 9)).toEqual([]);
      expect(idsOf(await catalogue.pending('text', 4))).toEqual(['a', 'b', 'c', 'd']);

      const all = shares.flat();
      const named = (id: string) => all.filter(({ screenId }) => screenId === id);
      await catalogue.returnPending(named('c'));
      await catalogue.settle(named('d'));
      await catalogue.save({ screens: [screenRecord('a', { width: 2 })] });
      expect(idsOf(await take(4, 9))).toEqual(['c', 'a']);
      expect(idsOf(await take(4, 10))).toEqual(['b']);
    });

    it('lists ids and versions page by page, and fingerprints and image keys', async () => {
      await catalogue.save({ screens: [screenRecord('b'), FULL, screenRecord('a')] });
      expect((await catalogue.list(undefined, 2)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect((await catalogue.list('b', 2)).map(({ id }) => id)).toEqual(['full']);
      expect(await catalogue.fingerprints()).toContainEqual({
        id: 'full',
        sha256: FULL.sha256,
        pHash: FULL.pHash,
      });
      expect(await catalogue.imageKeys()).toHaveLength(9);
    });

    it('saves more screens at once than one statement takes', async () => {
      const many = Array.from({ length: 1201 }, (_, index) => screenRecord(`s${index}`));
      await catalogue.save({ screens: many });
      expect(await catalogue.countScreens()).toBe(1201);
      expect(await catalogue.screens(many.map((screen) => screen.id))).toHaveLength(1201);
    });

    it('lets two processes write at once: nothing is lost and every write has its own revision', async () => {
      const elsewhere = stores.saveElsewhere(Array.from({ length: 20 }, (_, index) => `elsewhere-${index}`));
      for (let index = 0; index < 20; index += 1) {
        await catalogue.save({ screens: [screenRecord(`here-${index}`)] });
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await elsewhere;
      const listed = await catalogue.list(undefined, 100);
      expect(listed).toHaveLength(40);
      expect(new Set(listed.map(({ version }) => version)).size).toBe(40);
    });
  });
}
