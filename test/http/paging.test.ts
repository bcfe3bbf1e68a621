import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Screen } from '../../src/domain/screen.ts';
import type { Page } from '../../src/library/list-screens.ts';
import { GRID_SCREENS, newestFirst } from '../support/fixtures.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ screens: GRID_SCREENS });
});
afterEach(() => service.close());

/** Follows the Link headers to the end. */
async function walk(query: string, between: (pageNumber: number) => Promise<void> = () => Promise.resolve()) {
  const token = await service.token();
  const pages: Page<Screen>[] = [];
  let next: string | undefined = `${service.url}/api/v1/screens?${query}`;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    pages.push((await response.json()) as Page<Screen>);
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    expect(next === undefined).toBe(pages.at(-1)?.nextCursor === null);
    await between(pages.length);
  }
  return pages;
}

describe('paging at limit=7', () => {
  test('newest first: nothing twice, nothing missing, while screens are added', async () => {
    const added = (page: number) => [
      screenRecord(`newer-${page}`, { capturedAt: '2026-03-01T00:00:00.000Z' }),
      screenRecord(`among-${page}`, { capturedAt: '2026-01-10T12:08:00.000Z' }),
    ];
    const pages = await walk('limit=7', (page) => service.addScreens(added(page)));
    const seen = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(GRID_SCREENS.map(({ id }) => id)));
    expect(seen.filter((id) => id.startsWith('grid-'))).toEqual(
      newestFirst(GRID_SCREENS).map(({ id }) => id),
    );
    expect(pages.slice(0, -1).every(({ data }) => data.length === 7)).toBe(true);
  });

  test('by relevance: the same order in pages as at once', async () => {
    const pages = await walk('q=account&limit=7');
    const [whole] = await walk('q=account&limit=100');
    expect(pages.flatMap(({ data }) => data)).toEqual(whole?.data);
    expect(pages.every(({ total }) => total === 18)).toBe(true);
  });

  test('filters and their spelling go along', async () => {
    const pages = await walk(
      'pattern=paywall&pattern=settings&colors[]=D93025,FFFFFF&platform=ios&limit=1&sort=newest',
    );
    const seen = pages.flatMap(({ data }) => data);
    expect(seen.length).toBe(pages[0]?.total);
    expect(seen.length).toBeGreaterThan(2);
    expect(
      seen.every((screen) => screen.platform === 'IOS' && /paywall|settings/.test(screen.pattern.join())),
    ).toBe(true);
  });

  test('a page that ends with the last item is the last', async () => {
    const pages = await walk('limit=9');
    expect(pages.map(({ data }) => data.length)).toEqual([9, 9, 9, 9]);
  });
});

describe('cursors', () => {
  test('may be used with another page size', async () => {
    const [first] = await walk('limit=20');
    const second = await service.get(`/screens?limit=3&cursor=${first?.nextCursor}`);
    expect(((await second.json()) as Page<Screen>).data.length).toBe(3);
  });

  test('belong to their filters and their order', async () => {
    const [first] = await walk('limit=20');
    for (const query of ['appId=atlas', 'sort=relevance', 'q=account', 'colors=FFFFFF']) {
      const response = await service.get(`/screens?${query}&cursor=${first?.nextCursor}`);
      expect(response.status, query).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ parameter: 'cursor' }] });
    }
    const response = await service.get(`/flows?cursor=${first?.nextCursor}`);
    expect(response.status).toBe(400);
  });
});
