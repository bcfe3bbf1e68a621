import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { colorDistance } from '../../src/domain/color.ts';
import type { ScreenFilter, TextQuery } from '../../src/domain/query.ts';
import { parseQuery } from '../../src/domain/text.ts';
import type { ScreenDocument, SearchIndex, SearchPage } from '../../src/ports/search-index.ts';
import { matchesTerms, plainSearch } from '../support/plain-search.ts';
import { createRandom } from '../support/random.ts';
import { randomDocument, randomFilter, randomQuestion } from '../support/random-documents.ts';
import { screenDocument } from '../support/screen-document.ts';
import { MATCHES, ODD_QUESTIONS } from './search-matches.ts';

export interface OpenSearchIndex {
  /** Empty. */
  index: SearchIndex;
  /** A further handle on the same data, as another process has one. The caller closes it. */
  another(): Promise<SearchIndex>;
  /** Writes from another process, one document at a time. */
  writeElsewhere(documents: readonly ScreenDocument[]): Promise<void>;
  close(): Promise<void>;
}

/** What src/ports/search-index.ts promises, run on every engine. */
export function searchIndexContract(name: string, open: () => Promise<OpenSearchIndex>): void {
  describe(`search index: ${name}`, () => {
    let opened: OpenSearchIndex;
    let index: SearchIndex;
    beforeEach(async () => {
      opened = await open();
      index = opened.index;
    });
    afterEach(() => opened.close());

    const newest = (
      q = '',
      filter: ScreenFilter = {},
      limit = 100,
      after?: { capturedAt: string; id: string },
    ) =>
      index.search({
        terms: parseQuery(q),
        filter,
        limit,
        order: { by: 'newest', ...(after === undefined ? {} : { after }) },
      });
    const ranked = (q: string, filter: ScreenFilter = {}, limit = 100, offset = 0) =>
      index.search({ terms: parseQuery(q), filter, limit, order: { by: 'relevance', offset } });
    const idsOf = (page: SearchPage) => page.hits.map((hit) => hit.id);
    const found = async (q: string, filter?: ScreenFilter) => idsOf(await newest(q, filter)).toSorted();
    const captured = (second: number, ms = 0) =>
      new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms)).toISOString();

    describe('writing', () => {
      it('replaces a document only by one of a higher version', async () => {
        await index.upsert([screenDocument('a', { version: 5, caption: 'first' })]);
        await index.upsert([screenDocument('a', { version: 4, caption: 'older' })]);
        await index.upsert([screenDocument('a', { version: 5, caption: 'same' })]);
        expect(await found('first')).toEqual(['a']);
        expect(await found('older')).toEqual([]);
        expect(await found('same')).toEqual([]);
        await index.upsert([
          screenDocument('a', {
            version: 6,
            caption: 'second',
            appId: 'new',
            pattern: ['login'],
            platform: 'WEB',
            colors: [{ hex: '#000000', share: 1 }],
            capturedAt: captured(9),
          }),
        ]);
        expect(await found('first')).toEqual([]);
        expect(await found('', { pattern: ['paywall'] })).toEqual([]);
        expect(await found('', { colors: ['#FFFFFF'] })).toEqual([]);
        expect(
          await found('second', { appId: 'new', pattern: ['login'], platform: 'WEB', colors: ['#000000'] }),
        ).toEqual(['a']);
        expect((await newest()).hits).toEqual([{ id: 'a', score: 0, capturedAt: captured(9) }]);
        expect(await index.list(undefined, 10)).toEqual([{ id: 'a', version: 6 }]);
      });

      it('takes the highest version when a batch names a screen twice', async () => {
        await index.upsert([
          screenDocument('a', { version: 2, caption: 'newer' }),
          screenDocument('a', { version: 1, caption: 'older' }),
        ]);
        expect(await found('newer')).toEqual(['a']);
        expect(await found('older')).toEqual([]);
        expect(await index.count()).toBe(1);
      });

      it('writes all of a batch or none', async () => {
        const broken = screenDocument('b', { colors: [{ hex: 'no colour', share: 1 }] });
        await expect(index.upsert([screenDocument('a'), broken, screenDocument('c')])).rejects.toThrow(
          /no colour/,
        );
        expect(await index.count()).toBe(0);
        await index.upsert([screenDocument('a')]);
        expect(await index.count()).toBe(1);
      });

      it('forgets what is removed, and takes unknown ids for nothing', async () => {
        await index.upsert(['a', 'b', 'c'].map((id) => screenDocument(id, { caption: 'welcome' })));
        await index.remove(['b', 'ghost']);
        expect(await found('welcome')).toEqual(['a', 'c']);
        expect(await found('', { pattern: ['paywall'], colors: ['#FFFFFF'] })).toEqual(['a', 'c']);
        await index.remove([]);
        await index.upsert([]);
        expect(await index.count()).toBe(2);
        await index.upsert([screenDocument('b', { version: 1, caption: 'welcome back' })]);
        expect(await found('welcome')).toEqual(['a', 'b', 'c']);
      });

      it('is empty when everything is removed, and takes old versions again', async () => {
        await index.upsert([screenDocument('a', { version: 9, caption: 'settings' })]);
        await index.remove(['a']);
        expect(await newest()).toEqual({ hits: [], total: 0 });
        expect(await index.facets()).toEqual({ patterns: [], apps: [], platforms: [] });
        expect(await index.list(undefined, 10)).toEqual([]);
        await index.upsert([screenDocument('a', { version: 1, caption: 'settings' })]);
        expect(await found('setings')).toEqual(['a']);
      });

      it('lists ids and versions in ascending order, page by page', async () => {
        const ids = ['b', 'a', 'B', 'é', 'a1', '\u{1f600}', '\uff00'];
        await index.upsert(ids.map((id, version) => screenDocument(id, { version })));
        const listed = await index.list(undefined, 100);
        // By code point, as every store orders identifiers; UTF-16 would put the emoji before U+FF00.
        expect(listed.map(({ id }) => id)).toEqual(['B', 'a', 'a1', 'b', 'é', '\uff00', '\u{1f600}']);
        expect(listed.find(({ id }) => id === 'a1')).toEqual({ id: 'a1', version: 4 });
        expect(await index.list('a', 2)).toEqual(listed.slice(2, 4));
        expect(await index.list('\u{1f600}', 2)).toEqual([]);
        expect(await index.count()).toBe(7);
      });
    });

    describe('words', () => {
      it.each(MATCHES)('$question finds $finds, not $not', async ({ question, finds = [], not = [] }) => {
        const texts = [...finds, ...not];
        await index.upsert(texts.map((caption, position) => screenDocument(`${position}`, { caption })));
        const page = await newest(question);
        expect(
          idsOf(page)
            .map((id) => texts[Number(id)] ?? '')
            .toSorted(),
        ).toEqual(finds.toSorted());
        expect(page.total).toBe(finds.length);
        // The plain reading of the rules says the same.
        const terms = parseQuery(question);
        expect(texts.filter((caption) => matchesTerms({ caption }, terms))).toEqual(finds);
      });

      it('finds words in caption and OCR text as one field, but no phrase across', async () => {
        await index.upsert([
          screenDocument('both', { caption: 'Welcome aboard', ocrText: 'Create wallet' }),
          screenDocument('ocr', { ocrText: 'welcome to your wallet' }),
          screenDocument('neither'),
        ]);
        expect(await found('welcome wallet')).toEqual(['both', 'ocr']);
        expect(await found('"create wallet"')).toEqual(['both']);
        expect(await found('"aboard create"')).toEqual([]);
        expect(await found('aboard-create')).toEqual([]);
        expect(await found('')).toEqual(['both', 'neither', 'ocr']);
      });

      it.each(ODD_QUESTIONS)('reads %j as text', async (question) => {
        const documents = [
          screenDocument('odd', { caption: question }),
          screenDocument('plain', { caption: 'and or not near a b c word drop table' }),
        ];
        await index.upsert(documents);
        const expected = plainSearch(documents, { terms: parseQuery(question), filter: {} }).map(
          ({ id }) => id,
        );
        expect(await found(question)).toEqual(expected.toSorted());
        expect(idsOf(await ranked(question)).toSorted()).toEqual(expected.toSorted());
      });
    });

    describe('filters', () => {
      beforeEach(() =>
        index.upsert([
          screenDocument('a', {
            appId: 'one',
            platform: 'IOS',
            pattern: ['paywall', 'pricing'],
            caption: 'plan',
          }),
          screenDocument('b', { appId: 'one', platform: 'WEB', pattern: ['login'], caption: 'plan' }),
          screenDocument('c', { appId: 'two', platform: 'WEB', pattern: [], caption: 'other' }),
        ]),
      );

      it.each<[string, ScreenFilter, string[], string[]]>([
        ['appId', { appId: 'one' }, ['a', 'b'], ['a', 'b']],
        ['an unknown appId', { appId: 'ghost' }, [], []],
        ['platform', { platform: 'WEB' }, ['b', 'c'], ['b']],
        ['a pattern', { pattern: ['pricing'] }, ['a'], ['a']],
        ['any of several patterns', { pattern: ['pricing', 'login', 'paywall'] }, ['a', 'b'], ['a', 'b']],
        ['an unknown pattern', { pattern: ['ghost'] }, [], []],
        ['excludeIds', { excludeIds: ['a', 'ghost'] }, ['b', 'c'], ['b']],
        ['excludeIds without ids', { excludeIds: [] }, ['a', 'b', 'c'], ['a', 'b']],
        ['several at once', { appId: 'one', platform: 'WEB', pattern: ['login'] }, ['b'], ['b']],
        ['values that look like query text', { appId: `one' OR '1'='1`, pattern: ['*'] }, [], []],
      ])('%s', async (_, filter, all, withWord) => {
        expect(await newest('', filter)).toMatchObject({ total: all.length });
        expect(await found('', filter)).toEqual(all);
        expect(await found('plan', filter)).toEqual(withWord);
        expect(idsOf(await ranked('plan', filter)).toSorted()).toEqual(withWord);
      });
    });

    describe('colours', () => {
      const paint = (id: string, ...colors: string[]) =>
        screenDocument(id, { caption: 'paint', colors: colors.map((hex) => ({ hex, share: 0.5 })) });
      beforeEach(() =>
        index.upsert([
          paint('blue', '#FFFFFF', '#3366FF'),
          paint('bluish', '#FFFFFF', '#3060F0'),
          paint('red', '#FFFFFF', '#E02020'),
          paint('night', '#121212', '#3366FF'),
          paint('none'),
        ]),
      );

      it.each<[string, ScreenFilter, string[]]>([
        ['exactly', { colors: ['#3366FF'], colorTolerance: 0 }, ['blue', 'night']],
        ['next to nothing away', { colors: ['#3366FE'], colorTolerance: 0 }, []],
        ['near, by the default tolerance', { colors: ['#3366FF'] }, ['blue', 'bluish', 'night']],
        ['every one of two', { colors: ['#3366FF', '#FFFFFF'] }, ['blue', 'bluish']],
        ['two that one colour answers', { colors: ['#3366FF', '#3365FE'] }, ['blue', 'bluish', 'night']],
        ['two, exactly', { colors: ['#3366FF', '#121212'], colorTolerance: 0 }, ['night']],
        ['black is near dark grey only', { colors: ['#000000'] }, ['night']],
        ['far and wide', { colors: ['#808080'], colorTolerance: 50 }, ['blue', 'bluish', 'night', 'red']],
      ])('%s', async (_, filter, expected) => {
        expect(await found('', filter)).toEqual(expected);
        expect((await newest('', filter)).total).toBe(expected.length);
        expect(await found('paint', filter)).toEqual(expected);
        expect(await found('', { ...filter, pattern: ['paywall'] })).toEqual(expected);
      });

      it('is exact at the edge of the tolerance', async () => {
        await index.upsert([paint('alone', '#3366FF')]);
        for (const hex of ['#2244EE', '#F0F0F0', '#10A0FF', '#FF00FF', '#404040']) {
          const edge = Math.ceil(colorDistance(hex, '#3366FF') * 1000) / 1000;
          expect(await found('', { colors: [hex], colorTolerance: edge })).toContain('alone');
          expect(await found('', { colors: [hex], colorTolerance: edge - 0.001 })).not.toContain('alone');
        }
      });
    });

    describe('newest first', () => {
      it('goes by capture time, then id, to the last page', async () => {
        const documents = [
          screenDocument('same-b', { capturedAt: captured(5, 7), caption: 'plan' }),
          screenDocument('same-a', { capturedAt: captured(5, 7), caption: 'plan' }),
          screenDocument('later-in-second', { capturedAt: captured(5, 900), caption: 'plan' }),
          screenDocument('newest', { capturedAt: captured(50), caption: 'plan' }),
          screenDocument('before-1970', { capturedAt: '1969-12-31T23:59:59.250Z', caption: 'plan' }),
          screenDocument('epoch', { capturedAt: '1970-01-01T00:00:00.000Z', caption: 'plan' }),
          screenDocument('far', { capturedAt: '9999-12-31T23:59:59.999Z', caption: 'plan' }),
        ];
        const order = ['far', 'newest', 'later-in-second', 'same-a', 'same-b', 'epoch', 'before-1970'];
        await index.upsert(documents);
        for (const q of ['', 'plan']) {
          for (const limit of [1, 2, 3, 100]) {
            const walked: string[] = [];
            let page = await newest(q, {}, limit);
            for (;;) {
              expect(page.total).toBe(7);
              walked.push(...idsOf(page));
              const last = page.hits.at(-1);
              if (last === undefined || walked.length > 7) break;
              page = await newest(q, {}, limit, last);
            }
            expect(walked).toEqual(order);
          }
        }
      });

      it('gives nothing twice and misses nothing while screens come and go', async () => {
        const screen = (number: number) =>
          screenDocument(`s${String(number).padStart(3, '0')}`, {
            capturedAt: captured(Math.floor(number / 4)),
          });
        await index.upsert(Array.from({ length: 60 }, (_, number) => screen(number)));
        const walked: string[] = [];
        let page = await newest('', {}, 7);
        for (let step = 0; page.hits.length > 0; step += 1) {
          walked.push(...idsOf(page));
          await index.upsert([screen(100 + step), screen(200 + step)]);
          // The cursor's own screen may go without harm.
          const last = page.hits.at(-1);
          if (last === undefined) break;
          if (step === 2) await index.remove([last.id]);
          page = await newest('', {}, 7, last);
        }
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked.filter((id) => id < 's100')).toHaveLength(60);
      });
    });

    describe('relevance', () => {
      it('puts what says the word as asked before a longer word, and that before a misspelling', async () => {
        await index.upsert([
          screenDocument('typo', { caption: 'cant', capturedAt: captured(9) }),
          screenDocument('prefix', { caption: 'cartoon', capturedAt: captured(8) }),
          screenDocument('exact', { caption: 'cart', capturedAt: captured(7) }),
          ...Array.from({ length: 20 }, (_, number) =>
            screenDocument(`other-${number}`, { caption: 'settings' }),
          ),
        ]);
        const page = await ranked('cart');
        expect(idsOf(page)).toEqual(['exact', 'prefix', 'typo']);
        expect(page.total).toBe(3);
        const scores = page.hits.map((hit) => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score > 0)).toBe(true);
      });

      it('puts equals in order newest first, then by id, and pages through them', async () => {
        const equals = Array.from({ length: 30 }, (_, number) =>
          screenDocument(`s${String(number).padStart(2, '0')}`, {
            caption: 'free trial',
            capturedAt: captured(Math.floor(number / 3)),
          }),
        );
        await index.upsert(equals);
        const order = plainSearch(equals, { terms: [], filter: {} }).map(({ id }) => id);
        expect(idsOf(await ranked('trial'))).toEqual(order);
        expect(idsOf(await ranked('trial', {}, 7, 7))).toEqual(order.slice(7, 14));
        expect(idsOf(await ranked('trial', {}, 7, 28))).toEqual(order.slice(28));
        expect(await ranked('trial', {}, 7, 30)).toEqual({ hits: [], total: 30 });
        // Without words there is nothing to rank by.
        expect(idsOf(await ranked('', {}, 10, 5))).toEqual(order.slice(5, 15));
      });

      it('tells how many match however deep the page', async () => {
        await index.upsert(
          Array.from({ length: 1100 }, (_, number) => screenDocument(`s${number}`, { caption: 'welcome' })),
        );
        const page = await ranked('welcome', {}, 100, 900);
        expect(page.total).toBe(1100);
        expect(page.hits).toHaveLength(100);
      });
    });

    it('counts facets exactly, most first, then by name', async () => {
      await index.upsert([
        screenDocument('a', { appId: 'zeta', pattern: ['paywall', 'login'], platform: 'WEB' }),
        screenDocument('b', { appId: 'beta', pattern: ['paywall'], platform: 'WEB' }),
        screenDocument('c', { appId: 'beta', pattern: ['empty-state'], platform: 'IOS' }),
      ]);
      await index.upsert([
        screenDocument('c', { version: 2, appId: 'beta', pattern: ['login'], platform: 'IOS' }),
      ]);
      expect(await index.facets()).toEqual({
        patterns: [
          { value: 'login', count: 2 },
          { value: 'paywall', count: 2 },
        ],
        apps: [
          { value: 'beta', count: 2 },
          { value: 'zeta', count: 1 },
        ],
        platforms: [
          { value: 'WEB', count: 2 },
          { value: 'IOS', count: 1 },
        ],
      });
    });

    describe('with others', () => {
      it('sees at once what another handle wrote, new words for misspellings included', async () => {
        const other = await opened.another();
        await index.upsert([screenDocument('a', { caption: 'notifications' })]);
        const query: TextQuery = {
          terms: parseQuery('notifcations'),
          filter: {},
          limit: 10,
          order: { by: 'newest' },
        };
        expect((await other.search(query)).total).toBe(1);
        await other.upsert([screenDocument('b', { caption: 'notifycations' })]);
        expect(await found('notifcations')).toEqual(['a', 'b']);
        await other.remove(['a']);
        expect(await found('notifcations')).toEqual(['b']);
        await other.remove(['b']);
        expect(await index.count()).toBe(0);
        await index.upsert([screenDocument('c', { caption: 'notifications notificatons' })]);
        expect((await other.search(query)).total).toBe(1);
        await other.close();
      });

      it('keeps every write of several writers, and the highest version of each screen', async () => {
        const other = await opened.another();
        const write = async (writer: SearchIndex, offset: number) => {
          for (let version = 1; version <= 20; version += 1) {
            await writer.upsert([
              screenDocument('shared', {
                version: version * 2 + offset,
                caption: `take ${version * 2 + offset}`,
              }),
              screenDocument(`own-${offset}-${version}`),
            ]);
          }
        };
        await Promise.all([write(index, 0), write(other, 1)]);
        expect(await index.count()).toBe(41);
        expect((await index.list('own-1-9', 10)).at(-1)).toEqual({ id: 'shared', version: 41 });
        expect(await found('take 41')).toEqual(['shared']);
        expect(await found('take 40')).toEqual([]);
        await other.close();
      });

      it('shares its data with another process that writes at the same time', async () => {
        const elsewhere = Array.from({ length: 30 }, (_, number) =>
          screenDocument(`elsewhere-${number}`, { caption: 'from afar' }),
        );
        const writing = opened.writeElsewhere(elsewhere);
        for (let number = 0; number < 30; number += 1) {
          await index.upsert([screenDocument(`here-${number}`, { caption: 'from here' })]);
        }
        await writing;
        expect((await newest('afar')).total).toBe(30);
        expect((await newest('here')).total).toBe(30);
        expect(await index.count()).toBe(60);
      });
    });

    it('answers random questions as a plain reading of the rules does', { timeout: 300_000 }, async () => {
      const random = createRandom(20_260_101);
      const documents = new Map<string, ScreenDocument>();
      const save = async (batch: ScreenDocument[]) => {
        await index.upsert(batch);
        for (const document of batch) documents.set(document.id, document);
      };
      await save(random.several(2000, (number) => randomDocument(random, `screen-${number}`)));
      const ids = [...documents.keys()];
      // A library that has lived: screens were replaced and removed.
      await save(
        ids.filter(() => random.chance(0.1)).map((id) => ({ ...randomDocument(random, id), version: 2 })),
      );
      const gone = random.several(100, () => random.pick(ids));
      await index.remove(gone);
      for (const id of gone) documents.delete(id);

      let answered = 0;
      for (let round = 0; round < 400; round += 1) {
        const q = random.chance(0.8) ? randomQuestion(random) : '';
        const filter = random.chance(0.6) ? randomFilter(random, ids) : {};
        const expected = plainSearch(documents.values(), { terms: parseQuery(q), filter });
        const order = expected.map(({ id }) => id);
        const about = JSON.stringify({ q, filter });

        const first = await newest(q, filter, 25);
        expect({ about, ids: idsOf(first), total: first.total }).toEqual({
          about,
          ids: order.slice(0, 25),
          total: order.length,
        });
        const middle = expected[random.below(expected.length)];
        if (middle !== undefined) {
          const rest = await newest(q, filter, 2500, middle);
          expect({ about, ids: idsOf(rest) }).toEqual({
            about,
            ids: order.slice(order.indexOf(middle.id) + 1),
          });
          answered += 1;
        }
        const best = await ranked(q, filter, 1000);
        expect({ about, total: best.total }).toEqual({ about, total: order.length });
        expect(new Set(idsOf(best)).size).toBe(Math.min(1000, order.length));
        expect({ about, strangers: idsOf(best).filter((id) => !order.includes(id)) }).toEqual({
          about,
          strangers: [],
        });
        expect(isRanking(best.hits)).toBe(true);
      }
      expect(answered).toBeGreaterThan(200);
    });
  });
}

/** Best first; among equals newest first, then id. */
function isRanking(hits: SearchPage['hits']): boolean {
  return hits.every((hit, index) => {
    const next = hits[index + 1];
    if (next === undefined || hit.score !== next.score) return next === undefined || hit.score > next.score;
    if (hit.capturedAt !== next.capturedAt) return hit.capturedAt > next.capturedAt;
    return hit.id < next.id;
  });
}
