import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Screen, ScreenRecord } from '../../src/domain/screen.ts';
import type { Page } from '../../src/library/list-screens.ts';
import { GRID_SCREENS, TEXT_SCREENS, newestFirst } from '../support/fixtures.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const ALL = [...GRID_SCREENS, ...TEXT_SCREENS];

async function list(query: string): Promise<Page<Screen>> {
  const response = await service.get(`/screens?${query}`);
  expect(response.status, query).toBe(200);
  return (await response.json()) as Page<Screen>;
}

async function remove(screenIds: string[]): Promise<void> {
  await service.library.stores.catalogue.removeScreens(screenIds);
  await service.addScreens([]);
}

const ids = (page: Page<{ id: string }>) => page.data.map(({ id }) => id);
const expected = (matches: (screen: ScreenRecord) => boolean) =>
  newestFirst(ALL.filter(matches)).map(({ id }) => id);
const hasColor = (screen: ScreenRecord, hex: string) => screen.colors.some((color) => color.hex === hex);

describe('filters of /screens', () => {
  test.each<[query: string, matches: (screen: ScreenRecord) => boolean]>([
    ['', () => true],
    ['appId=birch', ({ appId }) => appId === 'birch'],
    ['platform=IOS', ({ platform }) => platform === 'IOS'],
    ['platform=android', ({ platform }) => platform === 'ANDROID'],
    ['platform=Web', ({ platform }) => platform === 'WEB'],
    ['pattern=paywall', ({ pattern }) => pattern.includes('paywall')],
    ['pattern=Empty%20State', ({ pattern }) => pattern.includes('empty-state')],
    [
      'pattern=paywall&pattern=onboarding',
      ({ pattern }) => pattern.includes('paywall') || pattern.includes('onboarding'),
    ],
    ['pattern[]=paywall&pattern[]=settings', ({ pattern }) => /paywall|settings/.test(pattern.join(' '))],
    ['colors=1A73E8', (screen) => hasColor(screen, '#1A73E8')],
    ['colors=%231a73e8', (screen) => hasColor(screen, '#1A73E8')],
    ['colors[]=1A73E8', (screen) => hasColor(screen, '#1A73E8')],
    ['colors=1A73E8&colors=188038', (screen) => hasColor(screen, '#1A73E8') && hasColor(screen, '#188038')],
    ['colors=1A73E8,188038', (screen) => hasColor(screen, '#1A73E8') && hasColor(screen, '#188038')],
    ['colors=1C75E9', (screen) => hasColor(screen, '#1A73E8')],
    ['colors=1C75E9&colorTolerance=0', () => false],
    ['colors=1A73E8&colorTolerance=0', (screen) => hasColor(screen, '#1A73E8')],
    ['colorTolerance=3', () => true],
    ['appId=nobody', () => false],
    ['pattern=nothing', () => false],
    ['appId=&platform=&pattern=&colors=&colorTolerance=&q=&sort=&limit=&cursor=', () => true],
    [
      'appId=atlas&platform=ios&pattern=onboarding&colors=1A73E8&q=account&sort=newest',
      (screen) =>
        screen.appId === 'atlas' &&
        screen.platform === 'IOS' &&
        screen.pattern.includes('onboarding') &&
        hasColor(screen, '#1A73E8') &&
        (screen.caption ?? '').includes('account'),
    ],
  ])('%s', async (query, matches) => {
    const page = await list(`${query}&limit=100`.replace('limit=&cursor=&limit=100', 'limit=100&cursor='));
    expect(ids(page)).toEqual(expected(matches));
    expect(page.total).toBe(page.data.length);
    expect(page.nextCursor).toBeNull();
  });

  test('the combination of all filters is not empty', async () => {
    const page = await list('appId=atlas&platform=ios&pattern=onboarding&colors=1A73E8&q=account');
    expect(page.total).toBeGreaterThan(0);
  });
});

describe('q', () => {
  test.each([
    ['a stem', 'subscription renews', ['text-stem']],
    ['an accent left out', 'cafe resume', ['text-accent']],
    ['an accent in other form', 'Cafe\u0301', ['text-accent']],
    ['a prefix', 'notificatio', ['text-prefix']],
    ['a typing error', 'pasword', ['text-typo']],
    ['two words in any order', 'trial free', ['text-phrase', 'text-words']],
    ['a phrase', '"free trial"', ['text-phrase']],
    ['operators as text', 'c++', ['text-syntax']],
    ['Chinese', '结算', ['text-chinese']],
    ['words split over caption and OCR text', 'welcome wallet', ['text-split']],
    ['OCR text behind a caption', '"create a wallet"', ['text-split']],
    ['OCR text alone', 'declined', ['text-ocr']],
    ['no phrase from caption into OCR text', '"aboard create"', []],
    ['a word that is nowhere', 'xylophone', []],
  ])('%s', async (_what, q, found) => {
    const page = await list(new URLSearchParams({ q }).toString());
    expect(ids(page).toSorted()).toEqual(found);
    expect(page.total).toBe(found.length);
  });

  test.each([
    '"',
    '"unclosed',
    '*',
    'NEAR(',
    'AND',
    '(a OR b)',
    'caption:x',
    '-',
    'a"b"c',
    '\\',
    "';--",
    '%',
    '_',
    '🙂',
  ])('query syntax is text: %s', async (q) => {
    await list(new URLSearchParams({ q }).toString());
  });

  test('ranks by relevance unless asked for the newest', async () => {
    const query = 'q=account&limit=100';
    const newest = expected(({ caption }) => caption?.includes('account') ?? false);
    expect(ids(await list(`${query}&sort=newest`))).toEqual(newest);
    expect(ids(await list(query)).toSorted()).toEqual(newest.toSorted());
    expect(ids(await list(`${query}&sort=relevance`))).toEqual(ids(await list(query)));
  });
});

describe('one screen', () => {
  test('has the fields of the contract and no others', async () => {
    const record = screenRecord('full', {
      appId: 'full',
      pattern: ['empty-state', 'paywall'],
      platform: 'ANDROID',
      width: 1080,
      height: 2400,
      colors: [
        { hex: '#FFFFFF', share: 0.6 },
        { hex: '#1A73E8', share: 0.4 },
      ],
      caption: 'What a person wrote',
      ocrText: 'What OCR read',
      pHash: '0123456789abcdef',
      embeddingId: '6f1de46c-8a0c-5d23-9b0e-2f7a4c1d9e55',
      capturedAt: '2020-01-01T00:00:00.000Z',
    });
    await service.addScreens([record]);
    const response = await service.get('/screens/full');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const screen = (await response.json()) as Screen;
    expect(screen).toEqual({
      id: 'full',
      appId: 'full',
      pattern: ['empty-state', 'paywall'],
      platform: 'ANDROID',
      imageUrl: `${service.url}/files/${record.imageKey}`,
      thumbUrl: `${service.url}/files/${record.thumbKey}`,
      width: 1080,
      height: 2400,
      dominantColors: ['#FFFFFF', '#1A73E8'],
      captionText: 'What a person wrote',
      pHash: '0123456789abcdef',
      embeddingId: '6f1de46c-8a0c-5d23-9b0e-2f7a4c1d9e55',
      capturedAt: '2020-01-01T00:00:00.000Z',
    });
    expect((await list('appId=full')).data).toEqual([screen]);
    await remove(['full']);
  });

  test('is found under an id of odd characters', async () => {
    const odd = ['a b', 'a/b', 'ü', 'a?b#c', '100%', 'a+b', '..', '.', '日本', 'x'.repeat(200)];
    await service.addScreens(odd.map((id) => screenRecord(id, { capturedAt: '2020-01-01T00:00:00.000Z' })));
    for (const id of odd.filter((value) => !/^\.+$/.test(value))) {
      const response = await service.get(`/screens/${encodeURIComponent(id)}`);
      expect(response.status, id).toBe(200);
      expect(((await response.json()) as Screen).id).toBe(id);
    }
    await remove(odd);
  });

  test.each(['nobody', 'grid-7', '%00', '%E0%A4%A', '%', "';DROP", 'x'.repeat(3000)])(
    'is 404 for the unknown id %s',
    async (id) => {
      const response = await service.get(`/screens/${id}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch('application/problem+json');
      expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
    },
  );
});
