import { describe, expect, it } from 'vitest';
import type { TextQuery } from '../../src/domain/query.ts';
import { parseQuery } from '../../src/domain/text.ts';
import { indexedScreen } from '../../src/engines/elasticsearch/document.ts';
import { filterClauses } from '../../src/engines/elasticsearch/filter.ts';
import { withoutLevels } from '../../src/engines/elasticsearch/levels.ts';
import { listRequest, searchRequest } from '../../src/engines/elasticsearch/search-request.ts';
import { matchClauses, rankedClauses } from '../../src/engines/elasticsearch/text-query.ts';
import mapping from '../../index-mappings/screens.json' with { type: 'json' };
import { screenDocument } from '../support/screen-document.ts';

const question = (changes: Partial<TextQuery> = {}): TextQuery => ({
  terms: [],
  filter: {},
  limit: 20,
  order: { by: 'newest' },
  ...changes,
});

describe('requests to Elasticsearch', () => {
  it('write a screen in the fields of the mapping, all of them and no others', () => {
    const screen = indexedScreen(screenDocument('a', { caption: 'Payments now', ocrText: 'Pay' }));
    expect(Object.keys(screen).toSorted()).toEqual(Object.keys(mapping.mappings.properties).toSorted());
    expect(screen).toMatchObject({ word: ['payments now', 'pay'], stem: ['payment now', 'pai'] });
  });

  it('refuse a colour that is none', () => {
    const broken = screenDocument('a', { colors: [{ hex: 'no colour', share: 1 }] });
    expect(() => indexedScreen(broken)).toThrow(/no colour/);
  });

  it('say each filter once, as data', () => {
    expect(filterClauses({})).toEqual([]);
    expect(
      filterClauses({ appId: 'a"b', platform: 'IOS', pattern: ['x', '*'], excludeIds: ['one'] }),
    ).toEqual([
      { term: { appId: 'a"b' } },
      { term: { platform: 'IOS' } },
      { terms: { pattern: ['x', '*'] } },
      { bool: { must_not: { terms: { id: ['one'] } } } },
    ]);
  });

  it('let cells of colours decide alone where they are wholly within reach, and one script elsewhere', () => {
    const [near] = filterClauses({ colors: ['#3366FF'], colorTolerance: 10 });
    expect(near).toMatchObject({
      bool: { should: [{ terms: { cell: expect.anything() } }, { bool: expect.anything() }] },
    });
    const [exact] = filterClauses({ colors: ['#3366FF'], colorTolerance: 0 });
    expect(exact).toMatchObject({
      bool: { filter: [{ terms: { cell: [expect.any(String)] } }, { script: {} }] },
    });
    const [wide] = filterClauses({ colors: ['#808080'], colorTolerance: 50 });
    expect(wide).toHaveProperty('script');
    const sources = [near, exact, wide].map((clause) => /"source":"(.*?)"/.exec(JSON.stringify(clause))?.[1]);
    expect(new Set(sources).size).toBe(1);
  });

  it('ask for every term: as its stem, unfinished if it is the last, misspelt if it is long enough', () => {
    const [the, phrase, last] = matchClauses(parseQuery('the "free trial" notificatoin'));
    expect(the).toEqual({ bool: { should: [{ term: { stem: 'the' } }], minimum_should_match: 1 } });
    expect(phrase).toEqual({ match_phrase: { word: 'free trial' } });
    expect(last?.bool?.should).toEqual([
      { term: { stem: 'notificatoin' } },
      { prefix: { word: 'notificatoin' } },
      {
        fuzzy: {
          word: {
            value: 'notificatoin',
            fuzziness: 2,
            prefix_length: 1,
            transpositions: true,
            rewrite: 'constant_score',
          },
        },
      },
    ]);
    expect(matchClauses([])).toEqual([]);
  });

  it('give a score only where an order needs one', () => {
    const terms = parseQuery('free trial');
    expect(rankedClauses([])).toEqual({ must: [], should: [] });
    expect(searchRequest(question({ terms })).query?.bool).not.toHaveProperty('should');
    const ranked = searchRequest(question({ terms, order: { by: 'relevance', offset: 40 } }));
    expect(ranked).toMatchObject({ from: 40, size: 20, track_total_hits: true });
    expect(ranked.query?.bool).toHaveProperty('should');
    expect(ranked.sort).toEqual([
      { _score: { order: 'desc' } },
      { capturedAt: { order: 'desc' } },
      { id: { order: 'asc' } },
    ]);
  });

  it('go on after a position, without an offset', () => {
    const after = { capturedAt: '2026-01-01T00:00:00.007Z', id: 'x' };
    const request = searchRequest(question({ order: { by: 'newest', after } }));
    expect(request).toMatchObject({ search_after: [Date.UTC(2026, 0, 1, 0, 0, 0, 7), 'x'], size: 20 });
    expect(request).not.toHaveProperty('from');
    expect(listRequest('x', 5)).toMatchObject({ search_after: ['x'], size: 5, version: true });
  });

  it('take the levels of strictness out of scores, and keep their order', () => {
    expect(withoutLevels([], 100)).toEqual([]);
    expect(withoutLevels([409, 404, 404], 100)).toEqual([9, 4, 4]);
    const scores = withoutLevels([405, 402, 301, 203, 201], 100);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.slice(0, 3)).toEqual([5, 2, 1]);
    expect(scores.at(-1)).toBeGreaterThan(0);
  });
});
