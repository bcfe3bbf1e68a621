import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const SIZE_PX = 720;

// Each shape stands on y = 590 around x = 360; `c` is its colour, `d` a darker one for details.
type Shape = (c: string, d: string) => string;

const leaf = (x: number, y: number, turn: number, length: number, fill: string): string =>
  `<path transform="translate(${x} ${y}) rotate(${turn})" d="M0 0q-34-${length / 2} 0-${length}q34 ${length / 2} 0 ${length}z" fill="${fill}"/>`;

const vase: Shape = (c, d) =>
  `${[-28, 0, 24].map((turn, n) => `<path transform="translate(360 250) rotate(${turn})" d="M0 40q-4-70 0-150" stroke="#6d7f57" stroke-width="6" fill="none"/>${leaf(360 + turn * 2.6, 150 - n * 6, turn * 1.6, 76, '#7f9463')}${leaf(360 + turn * 1.2, 220, turn - 30, 60, '#98aa77')}`).join('')}
  <path d="M318 240h84q0 60 40 110 44 60 30 140-12 70-56 100H304q-44-30-56-100-14-80 30-140 40-50 40-110z" fill="${c}"/>
  <path d="M262 430q98 34 196 0" stroke="${d}" stroke-width="10" fill="none"/><path d="M254 470q106 36 212 0" stroke="${d}" stroke-width="5" fill="none"/>
  <ellipse cx="360" cy="240" rx="42" ry="10" fill="${d}"/>`;

const bowl: Shape = (c, d) =>
  `<path d="M150 400h420q-10 130-140 190H290q-130-60-140-190z" fill="${c}"/><ellipse cx="360" cy="400" rx="210" ry="38" fill="${d}"/>
  <path d="M178 470q182 50 364 0" stroke="#fff" stroke-opacity=".5" stroke-width="8" fill="none"/>`;

const mug: Shape = (c, d) =>
  `<path d="M470 350q120-20 120 80t-130 90" stroke="${c}" stroke-width="34" fill="none"/><path d="M220 300h270v210q0 80-80 80H300q-80 0-80-80z" fill="${c}"/>
  <ellipse cx="355" cy="300" rx="135" ry="28" fill="${d}"/><path d="M220 470h270v40q0 80-80 80H300q-80 0-80-80z" fill="${d}" opacity=".55"/>
  <path d="M310 240q-20-30 0-60t0-60M400 240q-20-30 0-60t0-60" stroke="#fff" stroke-width="10" stroke-opacity=".7" fill="none" stroke-linecap="round"/>`;

const planter: Shape = (c, d) =>
  `${[-70, -44, -18, 8, 34, 60].map((turn, n) => leaf(360, 380, turn, 230 + (n % 3) * 40, ['#4f7355', '#6a8f68', '#86a67c'][n % 3] ?? '#4f7355')).join('')}
  <path d="M220 370h280l-26 200q-4 20-24 20H270q-20 0-24-20z" fill="${c}"/><rect x="206" y="350" width="308" height="50" rx="8" fill="${d}"/>`;

const lamp: Shape = (c, d) =>
  `<circle cx="360" cy="250" r="230" fill="#fff6d8" opacity=".55"/><rect x="350" y="330" width="20" height="240" fill="${d}"/><path d="M260 590q0-36 100-36t100 36z" fill="${d}"/>
  <path d="M280 140h160l70 200H210z" fill="${c}"/><path d="M210 340h300l-6-18H216z" fill="${d}" opacity=".4"/>`;

const cushion: Shape = (c, d) =>
  `<path d="M160 240q200-40 400 0 44 160 0 330-200 44-400 0-44-170 0-330z" fill="${c}"/>
  ${[0, 1, 2, 3, 4].map((n) => `<path d="M${190 + n * 78} 236q-14 170 0 340" stroke="${d}" stroke-width="14" fill="none" opacity=".7"/>`).join('')}`;

const blanket: Shape = (c, d) =>
  `${[0, 1, 2, 3].map((n) => `<rect x="${150 + n * 6}" y="${300 + n * 72}" width="${420 - n * 12}" height="76" rx="36" fill="${n % 2 ? d : c}"/>`).join('')}
  ${Array.from({ length: 14 }, (_, n) => `<path d="M${196 + n * 26} 580v34" stroke="${c}" stroke-width="8"/>`).join('')}`;

const candle: Shape = (c, d) =>
  `<path d="M360 150q44 60 0 110-44-50 0-110z" fill="#f6b545"/><path d="M360 250v40" stroke="#46382c" stroke-width="6"/><rect x="250" y="286" width="220" height="304" rx="18" fill="${c}"/>
  <rect x="276" y="380" width="168" height="120" rx="6" fill="#fffaf0"/><path d="M300 420h120M316 450h88" stroke="${d}" stroke-width="10"/>`;

const clock: Shape = (c, d) =>
  `<circle cx="360" cy="370" r="220" fill="${c}"/><circle cx="360" cy="370" r="180" fill="#fffaf0"/>
  ${Array.from({ length: 12 }, (_, n) => `<path transform="rotate(${n * 30} 360 370)" d="M360 210v26" stroke="${d}" stroke-width="10" stroke-linecap="round"/>`).join('')}
  <path d="M360 370L270 300M360 370l30-130" stroke="${d}" stroke-width="14" stroke-linecap="round"/><circle cx="360" cy="370" r="16" fill="${c}"/>`;

const stool: Shape = (c, d) =>
  `<path d="M250 350l-50 240M470 350l50 240M330 350l-16 240M390 350l16 240" stroke="${d}" stroke-width="22" stroke-linecap="round"/><path d="M226 500h268" stroke="${d}" stroke-width="14"/>
  <rect x="180" y="300" width="360" height="60" rx="30" fill="${c}"/>`;

const plates: Shape = (c, d) =>
  `${[0, 1, 2, 3].map((n) => `<path d="M140 ${560 - n * 46}q220 50 440 0 0-20-10-24H150q-10 4-10 24z" fill="${n % 2 ? d : c}"/>`).join('')}<ellipse cx="360" cy="402" rx="212" ry="34" fill="${c}"/><ellipse cx="360" cy="400" rx="140" ry="20" fill="#fff" opacity=".5"/>`;

const teapot: Shape = (c, d) =>
  `<path d="M520 380q110-40 90 60t-120 90" stroke="${d}" stroke-width="28" fill="none"/><path d="M220 400q-60-10-80-90-6-24-40-20 20 170 150 210z" fill="${c}"/>
  <path d="M200 420q20-110 170-110t170 110q10 170-100 170H300q-110 0-100-170z" fill="${c}"/><path d="M290 316q80-40 160 0z" fill="${d}"/><circle cx="370" cy="276" r="22" fill="${d}"/>`;

const PICTURES: [sku: string, shape: Shape, colour: string, dark: string, backdrop: string][] = [
  ['vase-tall', vase, '#d77a55', '#a9512f', '#f6e6d8'],
  ['vase-ink', vase, '#3f5a78', '#263b54', '#e3e9ef'],
  ['bowl-fern', bowl, '#7d9a74', '#597752', '#eaf0e3'],
  ['bowl-sand', bowl, '#e0c393', '#b8935a', '#f6efe0'],
  ['mug-cloud', mug, '#e9e4da', '#b9ae9c', '#d9e2e4'],
  ['mug-ochre', mug, '#d99a34', '#a86f16', '#f7ecd4'],
  ['teapot-moss', teapot, '#5f7a5a', '#3f573d', '#e6ece0'],
  ['plates-dawn', plates, '#e8a48c', '#c97b62', '#f8e8e1'],
  ['planter-clay', planter, '#c9714d', '#a3532f', '#eef2e6'],
  ['planter-chalk', planter, '#e5dfd3', '#bdb3a1', '#dfe9e6'],
  ['lamp-linen', lamp, '#f0dfc0', '#8a6a43', '#e9e2d6'],
  ['lamp-rust', lamp, '#c65f3d', '#5a3a2b', '#f4e3d6'],
  ['cushion-stripe', cushion, '#4d7f86', '#2f5a61', '#e1ecec'],
  ['cushion-rose', cushion, '#d9919a', '#b5656f', '#f8e7e8'],
  ['blanket-wool', blanket, '#d5b98c', '#9c7d52', '#f2ebde'],
  ['blanket-tide', blanket, '#6f98ab', '#446d82', '#e2ecf0'],
  ['candle-cedar', candle, '#7a5d48', '#54402f', '#efe6db'],
  ['clock-oak', clock, '#b98a56', '#4a3a2a', '#f3eadc'],
  ['stool-ash', stool, '#d8b27c', '#9b733f', '#eceae0'],
];

/** Writes a square PNG for every product into `folder`, named by its article number. */
export async function drawPictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [sku, shape, colour, dark, backdrop] of PICTURES) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 720" width="${SIZE_PX}" height="${SIZE_PX}">
      <rect width="720" height="720" fill="${backdrop}"/><path d="M0 520h720v200H0z" fill="#000" opacity=".05"/>
      <ellipse cx="360" cy="598" rx="220" ry="22" fill="#000" opacity=".12"/>${shape(colour, dark)}</svg>`;
    await sharp(Buffer.from(svg))
      .png()
      .toFile(join(folder, `${sku}.png`));
  }
}
