import type { ScreenFilter } from '../../src/domain/query.ts';
import { PLATFORMS } from '../../src/domain/vocabulary.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';
import type { Random } from './random.ts';

const WORDS = (
  'sign in up log out continue settings setting notifications notification subscribe subscription payment pay cart card ' +
  'care checkout free trial monthly month account email password search dark mode model café naïve Straße ' +
  'two-factor e-mail don’t c++ c# 9.99 1,000 2024 2025 😀 👍🏽 购物车 支付 付款 テスト 한국어 ทดสอบ مرحبا настройки über'
).split(' ');
const PATTERNS = ['paywall', 'onboarding', 'empty-state', 'settings', 'checkout'];
const COLORS = ['#FFFFFF', '#000000', '#121212', '#3366FF', '#3465FE', '#FF0000', '#FA0505', '#00AA88'];

/** As people and OCR write: mostly right, sometimes a letter off, cut short, shouting, or run into the next word. */
function word(random: Random): string {
  const right = random.pick(WORDS);
  const letters = Array.from(right);
  const place = random.below(letters.length);
  switch (random.below(12)) {
    case 0:
      return letters.toSpliced(place, 1).join('');
    case 1:
      return letters.toSpliced(place, 0, 'e').join('');
    case 2:
      return letters.toSpliced(place, 2, ...letters.slice(place, place + 2).toReversed()).join('');
    case 3:
      return right.toUpperCase();
    case 4:
      return letters.slice(0, place + 1).join('');
    default:
      return right;
  }
}

function text(random: Random, words: number): string {
  return random
    .several(words, () => word(random) + random.pick([' ', ' ', ' ', ' ', ', ', '-', '\n', '. ', '']))
    .join('');
}

/** Few moments, so that many screens share one and order needs the id. */
export function randomDocument(random: Random, id: string): ScreenDocument {
  const second = Date.UTC(2026, 0, 1) + random.below(400) * 1000;
  return {
    id,
    version: 1,
    appId: `app-${random.below(12)}`,
    pattern: [...new Set(random.several(1 + random.below(2), () => random.pick(PATTERNS)))],
    platform: random.pick(PLATFORMS),
    colors: random.several(random.below(5), () => ({ hex: color(random), share: 0.2 })),
    ...(random.chance(0.4) ? { caption: text(random, 1 + random.below(5)) } : {}),
    ...(random.chance(0.9) ? { ocrText: text(random, random.below(14)) } : {}),
    capturedAt: new Date(second + random.pick([0, 0, 1, 999])).toISOString(),
  };
}

function color(random: Random): string {
  if (random.chance(0.7)) return random.pick(COLORS);
  return `#${random
    .below(2 ** 24)
    .toString(16)
    .padStart(6, '0')
    .toUpperCase()}`;
}

/** A question as typed. */
export function randomQuestion(random: Random): string {
  const words = text(random, 1 + random.below(3)).trim();
  switch (random.below(6)) {
    case 0:
      return `"${words}"`;
    case 1:
      return `${word(random)} "${words}" ${word(random)}`;
    default:
      return words;
  }
}

export function randomFilter(random: Random, ids: readonly string[]): ScreenFilter {
  return {
    ...(random.chance(0.2) ? { appId: `app-${random.below(13)}` } : {}),
    ...(random.chance(0.3)
      ? { pattern: random.several(1 + random.below(2), () => random.pick(PATTERNS)) }
      : {}),
    ...(random.chance(0.2) ? { platform: random.pick(PLATFORMS) } : {}),
    ...(random.chance(0.3) ? { colors: random.several(1 + random.below(2), () => color(random)) } : {}),
    ...(random.chance(0.5) ? { colorTolerance: random.pick([0, 0.5, 2, 10, 25, 50]) } : {}),
    ...(random.chance(0.1) ? { excludeIds: random.several(5, () => random.pick(ids)) } : {}),
  };
}
