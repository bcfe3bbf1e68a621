import { converter } from 'culori';
import type { ColorShare } from './color.ts';

const toOklch = converter('oklch');

/** Is a colour one that people would call by a name? OKLCH: lightness 0–1, chroma 0–0.4, hue 0–360°. */
type ColorTest = (lightness: number, chroma: number, hue: number) => boolean;

/** Hues from `from` to `to`, which may lie beyond 360°, of colours that are not nearly grey. */
const hues =
  (from: number, to: number, leastChroma = 0.04): ColorTest =>
  (_, chroma, hue) =>
    chroma >= leastChroma && ((hue >= from && hue < to) || (hue + 360 >= from && hue + 360 < to));

const grey: ColorTest = (lightness, chroma) => chroma < 0.03 && lightness > 0.3 && lightness < 0.93;
const both =
  (one: ColorTest, other: ColorTest): ColorTest =>
  (...color) =>
    one(...color) && other(...color);

/** Names overlap, as they do among people. */
const NAMES: Readonly<Record<string, ColorTest>> = {
  red: hues(370, 400),
  crimson: hues(360, 395),
  orange: hues(38, 75),
  amber: hues(60, 95),
  yellow: hues(80, 115),
  golden: hues(70, 105),
  lime: hues(105, 135),
  green: hues(110, 175),
  olive: both(hues(95, 130), (lightness) => lightness < 0.7),
  mint: both(hues(140, 185, 0.02), (lightness) => lightness > 0.75),
  teal: hues(165, 225),
  turquoise: hues(170, 215),
  cyan: hues(190, 230),
  blue: hues(215, 285),
  navy: both(hues(230, 290), (lightness) => lightness < 0.45),
  indigo: hues(265, 300),
  violet: hues(280, 325),
  purple: hues(285, 335),
  lavender: both(hues(280, 330, 0.02), (lightness) => lightness > 0.75),
  magenta: hues(320, 360),
  pink: both(hues(330, 390, 0.02), (lightness) => lightness > 0.6),
  brown: both(hues(30, 85, 0.03), (lightness) => lightness < 0.6),
  beige: both(hues(40, 110, 0.01), (lightness, chroma) => lightness > 0.85 && chroma < 0.06),
  cream: both(hues(40, 115, 0.008), (lightness, chroma) => lightness > 0.9 && chroma < 0.06),
  black: (lightness, chroma) => lightness < 0.28 && chroma < 0.04,
  white: (lightness, chroma) => lightness > 0.96 && chroma < 0.02,
  grey,
  gray: grey,
};

/** What a word before a name asks of the colour. */
const SHADES: Readonly<Record<string, ColorTest>> = {
  dark: (lightness) => lightness < 0.5,
  deep: (lightness) => lightness < 0.5,
  light: (lightness) => lightness > 0.75,
  pale: (lightness) => lightness > 0.85,
  pastel: (lightness) => lightness > 0.8,
  bright: (_, chroma) => chroma > 0.12,
  neon: (_, chroma) => chroma > 0.15,
};

/** The colours that a question names, in order: "dark green paywall" names one. */
export function colorWordsOf(question: string): ColorTest[] {
  const words = question.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.flatMap((word, place) => {
    const named = NAMES[word];
    const shade = SHADES[words[place - 1] ?? ''];
    return named === undefined ? [] : shade === undefined ? named : both(named, shade);
  });
}

/** From this share of the picture on a colour is seen at a glance; buttons and marks have about as much. */
const SEEN_SHARE = 0.02;

/**
 * How well a picture is described by the colours that a question names, 0–1: half for being seen at all, half for the
 * share of the picture that they cover.
 */
export function colorAgreement(tests: readonly ColorTest[], colors: readonly ColorShare[]): number {
  if (tests.length === 0) return 0;
  const measured = colors.map(({ hex, share }) => ({ ...toOklch(hex), share }));
  const agreements = tests.map((test) => {
    const covered = measured
      .filter(({ l = 0, c = 0, h = 0 }) => test(l, c, h))
      .reduce((sum, { share }) => sum + share, 0);
    return (Math.sqrt(Math.min(1, covered / SEEN_SHARE)) + Math.sqrt(covered)) / 2;
  });
  return agreements.reduce((sum, value) => sum + value, 0) / tests.length;
}
