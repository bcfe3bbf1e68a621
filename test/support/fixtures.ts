import type { FlowRecord, ScreenRecord } from '../../src/domain/screen.ts';
import { PLATFORMS } from '../../src/domain/vocabulary.ts';
import { screenRecord } from './screen-record.ts';

export const APPS = [
  { id: 'atlas', name: 'Atlas' },
  { id: 'birch', name: 'Birch' },
  { id: 'comet', name: 'Comet' },
];

const PATTERNS = [['onboarding'], ['paywall'], ['empty-state', 'onboarding'], ['settings']];
const COLORS = ['#1A73E8', '#D93025', '#188038', '#F9AB00', '#202124'];

/** 36 screens that differ in every filter; each moment of capture is shared by two, so that order needs the id. */
export const GRID_SCREENS: readonly ScreenRecord[] = Array.from({ length: 36 }, (_, index) =>
  screenRecord(`grid-${String(index).padStart(2, '0')}`, {
    appId: APPS[index % 3]?.id ?? '',
    platform: PLATFORMS[Math.floor(index / 3) % 3] ?? 'WEB',
    pattern: [...(PATTERNS[index % 4] ?? [])],
    colors: [
      { hex: '#FFFFFF', share: 0.7 },
      { hex: COLORS[index % 5] ?? '', share: 0.2 },
      { hex: COLORS[(index + 2) % 5] ?? '', share: 0.1 },
    ],
    caption: index % 2 === 0 ? 'Manage your account' : 'Choose a plan',
    ocrText: `Screen number ${index}`,
    capturedAt: new Date(Date.UTC(2026, 0, 10, 12, Math.floor(index / 2))).toISOString(),
  }),
);

const TEXTS: readonly [id: string, text: Pick<ScreenRecord, 'caption' | 'ocrText'>][] = [
  ['text-stem', { caption: 'Subscriptions renewing monthly' }],
  ['text-accent', { caption: 'Café crème résumé' }],
  ['text-prefix', { caption: 'Notifications off' }],
  ['text-typo', { caption: 'Forgotten password' }],
  ['text-phrase', { caption: 'Start your free trial' }],
  ['text-words', { caption: 'The trial version is free' }],
  ['text-syntax', { caption: 'Learn C++ NEAR (you) AND OR NOT *' }],
  ['text-chinese', { caption: '购物车结算页面' }],
  ['text-split', { caption: 'Welcome aboard', ocrText: 'Create a wallet' }],
  ['text-ocr', { ocrText: 'Payment declined' }],
];

/** Screens to be found by words, older than the grid. */
export const TEXT_SCREENS: readonly ScreenRecord[] = TEXTS.map(([id, text]) =>
  screenRecord(id, { ...text, appId: 'atlas', platform: 'WEB', capturedAt: '2025-06-01T08:00:00.000Z' }),
);

export const FLOWS: readonly FlowRecord[] = [
  {
    id: 'flow-onboarding',
    appId: 'atlas',
    type: 'onboarding',
    name: 'First steps',
    description: 'From the welcome to an account',
    screenIds: ['grid-09', 'grid-00', 'grid-03'],
    capturedAt: '2026-01-10T12:04:00.000Z',
  },
  {
    id: 'flow-paywall',
    appId: 'birch',
    type: 'paywall',
    name: 'Upgrade',
    screenIds: ['grid-01', 'grid-01', 'grid-10'],
    capturedAt: '2026-01-10T12:05:00.000Z',
  },
  {
    id: 'flow-checkout',
    appId: 'birch',
    type: 'checkout',
    name: 'Buy',
    screenIds: ['grid-04'],
    capturedAt: '2026-01-10T12:05:00.000Z',
  },
];

/** Newest first, then id: the order of every list without a ranking. */
export function newestFirst<Item extends { id: string; capturedAt: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) =>
    a.capturedAt < b.capturedAt ? 1 : a.capturedAt > b.capturedAt ? -1 : a.id < b.id ? -1 : 1,
  );
}
