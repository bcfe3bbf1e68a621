import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScreenRecord } from '../src/domain/screen.ts';
import { PLATFORMS } from '../src/domain/vocabulary.ts';

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same screens everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATTERNS = [
  'paywall', 'onboarding', 'empty-state', 'checkout', 'settings', 'sign-in', 'search', 'profile', 'feed', 'detail',
  'list', 'form', 'error', 'cart', 'map', 'chat', 'dashboard', 'calendar', 'gallery', 'notifications',
]; // prettier-ignore
const WORDS_PER_SCREEN = 45;
const APPS = 400;
const GLOSSARY_DIR = join(import.meta.dirname, '../models/glossary');
/** The commonest words are in every screen, and nobody searches for them. */
const COMMON_WORDS = 100;

/** The words of our glossary, commonest first: real words, as far from one another as words are. */
const VOCABULARY = readVocabulary();

function readVocabulary(): string[] {
  const counts = new Map<string, number>();
  for (const name of readdirSync(GLOSSARY_DIR)) {
    const words =
      readFileSync(join(GLOSSARY_DIR, name), 'utf8')
        .toLowerCase()
        .match(/[a-z]{2,}/g) ?? [];
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([word]) => word);
}

/** A word as real text has them: unevenly common (Zipf). */
function commonWord(random: () => number): string {
  return VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1] ?? '';
}

/** A word as people search for it: as unevenly common, the commonest left out. */
export function searchedWord(random: () => number): string {
  const searched = VOCABULARY.length / COMMON_WORDS;
  return VOCABULARY[Math.floor(COMMON_WORDS * searched ** random())] ?? '';
}

/** Screens as a large library would have them, newest last; `count` of them, the same for the same seed. */
export function* generateScreens(count: number, seed = 1): Generator<ScreenRecord> {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  for (let index = 0; index < count; index += 1) {
    const id = `generated-${String(index).padStart(7, '0')}`;
    const sha256 = createHash('sha256').update(id).digest('hex');
    yield {
      id,
      appId: `app-${Math.floor(random() * APPS)}`,
      pattern: [...new Set([pick(PATTERNS), pick(PATTERNS)])],
      platform: pick(PLATFORMS),
      sha256,
      format: 'png',
      bytes: 100_000,
      originalKey: `originals/${sha256}.png`,
      imageKey: `images/${sha256}.webp`,
      thumbKey: `thumbs/${sha256}.webp`,
      width: 1170,
      height: 2532,
      colors: Array.from({ length: 5 }, (_, place) => ({ hex: hexColor(random), share: 0.5 / (place + 1) })),
      ocrText: Array.from({ length: WORDS_PER_SCREEN }, () => commonWord(random)).join(' '),
      embeddingId: uuidOf(sha256),
      capturedAt: new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString(),
    };
  }
}

function hexColor(random: () => number): string {
  return `#${Math.floor(random() * 2 ** 24)
    .toString(16)
    .padStart(6, '0')
    .toUpperCase()}`;
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
