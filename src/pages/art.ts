import { Html } from './html.ts';

type Block = [
  kind: 'pale' | 'mid' | 'red' | 'green' | 'gold' | 'blue' | 'ink',
  x: number,
  y: number,
  w: number,
  h: number,
];

/** Screens in outline, 200 × 400 each: a welcome, a paywall, a list, a chart, an article, a checkout. */
const SCREENS: Block[][] = [
  [
    ['red', 0, 0, 200, 210],
    ['ink', 24, 238, 120, 16],
    ['mid', 24, 266, 152, 8],
    ['mid', 24, 282, 110, 8],
    ['ink', 24, 340, 152, 36],
  ],
  [
    ['mid', 24, 36, 96, 14],
    ['pale', 24, 72, 152, 64],
    ['green', 24, 148, 152, 64],
    ['pale', 24, 224, 152, 64],
    ['green', 24, 340, 152, 36],
  ],
  [
    ['ink', 24, 32, 90, 16],
    ['gold', 24, 76, 48, 48],
    ['mid', 86, 86, 90, 8],
    ['pale', 86, 104, 60, 8],
    ['blue', 24, 142, 48, 48],
    ['mid', 86, 152, 90, 8],
    ['pale', 86, 170, 60, 8],
    ['red', 24, 208, 48, 48],
    ['mid', 86, 218, 90, 8],
    ['pale', 86, 236, 60, 8],
    ['green', 24, 274, 48, 48],
    ['mid', 86, 284, 90, 8],
    ['pale', 86, 302, 60, 8],
  ],
  [
    ['blue', 0, 0, 200, 96],
    ['mid', 24, 124, 70, 12],
    ['gold', 24, 250, 24, 90],
    ['gold', 56, 210, 24, 130],
    ['blue', 88, 170, 24, 170],
    ['gold', 120, 230, 24, 110],
    ['gold', 152, 190, 24, 150],
  ],
  [
    ['mid', 24, 36, 152, 120],
    ['ink', 24, 178, 140, 14],
    ['ink', 24, 200, 96, 14],
    ['pale', 24, 236, 152, 8],
    ['pale', 24, 254, 152, 8],
    ['pale', 24, 272, 152, 8],
    ['pale', 24, 290, 120, 8],
  ],
  [
    ['ink', 24, 32, 110, 16],
    ['gold', 24, 70, 152, 88],
    ['mid', 24, 182, 80, 8],
    ['pale', 136, 182, 40, 8],
    ['mid', 24, 206, 64, 8],
    ['pale', 136, 206, 40, 8],
    ['mid', 24, 230, 90, 8],
    ['pale', 136, 230, 40, 8],
    ['red', 24, 340, 152, 36],
  ],
];
const COLUMN_WIDTH = 240;
const ROW_HEIGHT = 440;

/** A wall of screens, for the eye alone. */
export const ART = new Html(
  `<div class="art" aria-hidden="true"><svg viewBox="0 0 960 1200" preserveAspectRatio="xMidYMid slice"><g transform="rotate(-8 480 600)">${wall()}</g></svg></div>`,
);

function wall(): string {
  return [-1, 0, 1, 2, 3, 4]
    .flatMap((column) =>
      [-1, 0, 1, 2].map((row) => {
        const x = column * COLUMN_WIDTH + 20;
        const y = row * ROW_HEIGHT + (column % 2 === 0 ? 0 : ROW_HEIGHT / 2);
        const blocks = SCREENS[(column + 1 + (row + 1) * 4) % SCREENS.length] ?? [];
        return `<svg x="${x}" y="${y}" width="200" height="400"><rect class="card" width="200" height="400" rx="22"/>${blocks.map(draw).join('')}</svg>`;
      }),
    )
    .join('');
}

function draw([kind, x, y, w, h]: Block): string {
  // What reaches the screen's edge has its round corners, and so leaves a flat seam below.
  const atTop = y === 0;
  const radius = atTop ? 22 : Math.min(10, h / 2);
  const seam = atTop ? `<rect class="${kind}" x="${x}" y="${h - 22}" width="${w}" height="22"/>` : '';
  return `<rect class="${kind}" x="${x}" y="${y}" width="${w}" height="${h}" rx="${radius}"/>${seam}`;
}
