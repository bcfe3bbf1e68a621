import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

interface Scene {
  name: string;
  /** Top and bottom of the sky. */
  sky: [string, string];
  sun: { x: number; y: number; r: number; fill: string };
  /** Far to near: hills, then water. */
  hills: string[];
  water: [string, string];
  /** SVG drawn on the 1600 × 1000 picture, in front of the water. */
  subject: string;
}

function lighthouse(): string {
  const stripes = [0, 1, 2].map((n) => {
    const top = 430 + n * 120;
    const inset = n * 9;
    return `<path d="M${1124 - inset} ${top}h${92 + inset * 2}l5 60h${-102 - inset * 2}z" fill="#d8503f"/>`;
  });
  return `<path d="M860 1000q90-250 310-260t430 200v60z" fill="#22303c"/>
    <path d="M1120 400h100l34 400h-168z" fill="#f6efe2"/>${stripes.join('')}
    <rect x="1104" y="380" width="132" height="22" fill="#22303c"/><rect x="1130" y="310" width="80" height="70" fill="#ffe9a8"/>
    <path d="M1118 310l52-62 52 62z" fill="#22303c"/><path d="M1130 344L120 190v230z" fill="#ffe9a8" opacity=".28"/>`;
}

function boat(x: number, y: number, size: number, sail: string, hull: string): string {
  return `<g transform="translate(${x} ${y}) scale(${size})"><path d="M-6-330h10V0h-10z" fill="#4a3526"/>
    <path d="M12-320Q190-170 200-30H12z" fill="${sail}"/><path d="M-14-290Q-120-150-150-30h136z" fill="${sail}" opacity=".82"/>
    <path d="M-200 0h430q-34 92-110 96h-220q-78-6-100-96z" fill="${hull}"/><path d="M-200 0h430l-8 20h-416z" fill="#fff" opacity=".7"/></g>`;
}

function houses(): string {
  const colours = ['#d9683c', '#efb643', '#f3e6cf', '#4d8a8f', '#c8483d', '#e9c9a4', '#39677a', '#e8a13c'];
  const fronts = colours.map((colour, n) => {
    const x = 60 + n * 186;
    const top = 330 + ((n * 67) % 120);
    const windows = [0, 1, 2, 3, 4, 5].map((w) => {
      const wx = x + 26 + (w % 2) * 78;
      const wy = top + 40 + Math.floor(w / 2) * 110;
      return `<rect x="${wx}" y="${wy}" width="46" height="66" fill="#20323c"/><path d="M${wx + 21} ${wy}h4v66h-4z" fill="#fff" opacity=".75"/>`;
    });
    return `<path d="M${x} ${top}l89-92 89 92v440h-178z" fill="${colour}"/><path d="M${x - 8} ${top + 6}l97-104 97 104" fill="none" stroke="#5b2f26" stroke-width="16"/>${windows.join('')}`;
  });
  return `${fronts.join('')}<rect y="770" width="1600" height="46" fill="#6d6258"/><rect y="816" width="1600" height="184" fill="#2f6672"/>
    ${boat(430, 880, 0.42, '#f8efdc', '#8d2f2a')}${boat(1180, 900, 0.5, '#e3eef0', '#23404b')}`;
}

function whale(): string {
  return `<path d="M360 760q110-210 420-210 250 0 380 120 60-20 90-110 70 40 60 110 60 10 110-40 0 120-150 150-210 170-520 160-290-8-390-180z" fill="#24414f"/>
    <path d="M372 778q190 110 470 118-210 70-390-30-60-34-80-88z" fill="#dfe8e6" opacity=".8"/><circle cx="500" cy="730" r="11" fill="#fff"/>
    <path d="M640 540q-60-110-150-120m150 120q20-130 110-160" fill="none" stroke="#e8f3f3" stroke-width="16" stroke-linecap="round"/>`;
}

function chart(): string {
  const depths = [520, 430, 340, 250, 160].map(
    (r, n) =>
      `<path d="M${900 - r} 520q${r * 0.3}-${r} ${r}-${r * 0.8}t${r}${r * 0.7 > 0 ? ' ' : ''}${r * 0.7}q-${r * 0.2} ${r * 0.9}-${r} ${r * 0.8}t-${r}-${r * 0.7}z" fill="${['#d6e6e4', '#b9d6d6', '#97c2c6', '#74abb3', '#4f91a0'][n]}"/>`,
  );
  const rays = Array.from({ length: 16 }, (_, n) => {
    const angle = (n * Math.PI) / 8;
    return `<path d="M330 730L${330 + Math.cos(angle) * 1500} ${730 + Math.sin(angle) * 1500}" stroke="#8b5a3c" stroke-width="2" opacity=".45"/>`;
  });
  return `<rect width="1600" height="1000" fill="#f1e3c2"/>${depths.join('')}${rays.join('')}
    <path d="M0 0h520q-60 120-190 150T120 330 0 470z" fill="#e2c48d" stroke="#8b5a3c" stroke-width="5"/>
    <path d="M1600 640v360h-540q60-110 190-130t170-150 180-80z" fill="#e2c48d" stroke="#8b5a3c" stroke-width="5"/>
    <g transform="translate(330 730)"><circle r="120" fill="#f7eed8" stroke="#8b5a3c" stroke-width="6"/>
    <path d="M0-150L26-26 150 0 26 26 0 150-26 26-150 0-26-26z" fill="#b23e2f"/><path d="M0-150L0 150 26 26 26-26zM150 0L-150 0-26 26 26 26z" fill="#7d241b"/></g>`;
}

function anchor(): string {
  return `<rect width="1600" height="1000" fill="#d9c6a5"/>${Array.from(
    { length: 8 },
    (_, n) =>
      `<rect y="${n * 128}" width="1600" height="122" fill="${n % 2 ? '#b99468' : '#c4a278'}"/><rect y="${n * 128 + 122}" width="1600" height="6" fill="#7a5a38"/>`,
  ).join('')}
    <g fill="none" stroke="#2b3a42" stroke-width="52" stroke-linecap="round"><circle cx="960" cy="210" r="70"/><path d="M960 290v520M780 390h360M620 600q20 230 340 240 320-10 340-240"/></g>
    <path d="M560 640l60-110 90 90zM1360 640l-60-110-90 90z" fill="#2b3a42"/>
    <g fill="none" stroke="#f0e2c0" stroke-width="44" stroke-linecap="round"><path d="M-20 300q320-200 460 60t-120 260q-200-20-140-190 70-150 380-60 260 70 330-150"/></g>
    <g fill="none" stroke="#b79a63" stroke-width="6" stroke-dasharray="4 26"><path d="M-20 300q320-200 460 60t-120 260q-200-20-140-190 70-150 380-60 260 70 330-150" stroke-width="40"/></g>`;
}

function pier(): string {
  const posts = Array.from(
    { length: 9 },
    (_, n) => `<rect x="${60 + n * 112}" y="640" width="22" height="${230 - n * 6}" fill="#2a2320"/>`,
  );
  return `<path d="M0 610h1080v34H0z" fill="#3d322c"/>${posts.join('')}<path d="M860 610V500h120v110z" fill="#5a463b"/><path d="M840 504l80-60 80 60z" fill="#8d3b30"/>
    ${[0, 1, 2, 3].map((n) => `<path d="M${-80 + n * 90} ${800 + n * 52}q200-70 400 0t400 0 400 0 400 0" fill="none" stroke="#e6eef0" stroke-width="10" opacity="${0.7 - n * 0.12}"/>`).join('')}`;
}

function gulls(): string {
  return [
    [300, 260, 1.3],
    [560, 180, 0.8],
    [900, 330, 1.6],
    [1240, 210, 1],
    [1080, 130, 0.6],
    [420, 430, 0.7],
  ]
    .map(
      ([x, y, s]) =>
        `<path transform="translate(${x} ${y}) scale(${s})" d="M-120 10Q-60-60 0 0q60-60 120 10-70-22-120 24Q-50-12-120 10z" fill="#fdfdfb"/>`,
    )
    .join('');
}

const SCENES: Scene[] = [
  {
    name: '01-lighthouse-at-dusk',
    sky: ['#27355f', '#f2a27a'],
    sun: { x: 420, y: 640, r: 90, fill: '#ffd9a0' },
    hills: ['#5b4f78', '#3f3f63'],
    water: ['#c07a78', '#2a3557'],
    subject: lighthouse(),
  },
  {
    name: '02-sailing-boat-at-sunrise',
    sky: ['#f8d9b0', '#f5a65b'],
    sun: { x: 1120, y: 520, r: 150, fill: '#fff3d6' },
    hills: ['#d98a5c', '#a9604f'],
    water: ['#ee9d63', '#7a4250'],
    subject: boat(640, 780, 1.35, '#fdf3e0', '#5a2b33'),
  },
  {
    name: '03-houses-on-the-quay',
    sky: ['#9fcbdc', '#e6f0ee'],
    sun: { x: 1400, y: 140, r: 70, fill: '#fffbe8' },
    hills: ['#c9dcd6', '#a6c4bd'],
    water: ['#3d7a86', '#2f6672'],
    subject: houses(),
  },
  {
    name: '04-chart-of-the-inner-sound',
    sky: ['#f1e3c2', '#f1e3c2'],
    sun: { x: 0, y: 0, r: 0, fill: '#fff' },
    hills: [],
    water: ['#fff', '#fff'],
    subject: chart(),
  },
  {
    name: '05-whale-in-the-sound',
    sky: ['#b7dbe0', '#eaf4f0'],
    sun: { x: 1260, y: 240, r: 84, fill: '#ffffff' },
    hills: ['#9cc0c4', '#7aa7ad'],
    water: ['#5b9aa6', '#1f5563'],
    subject: whale(),
  },
  {
    name: '06-rope-and-anchor',
    sky: ['#fff', '#fff'],
    sun: { x: 0, y: 0, r: 0, fill: '#fff' },
    hills: [],
    water: ['#fff', '#fff'],
    subject: anchor(),
  },
  {
    name: '07-storm-over-the-pier',
    sky: ['#3b4650', '#9aa9ad'],
    sun: { x: 300, y: 160, r: 60, fill: '#c9d2d2' },
    hills: ['#6c7a80', '#525f66'],
    water: ['#6d8288', '#26343b'],
    subject: pier(),
  },
  {
    name: '08-gulls-above-the-breakwater',
    sky: ['#3f8fbf', '#cfe7ee'],
    sun: { x: 1400, y: 180, r: 90, fill: '#fff7da' },
    hills: ['#7fa7a4', '#55827f'],
    water: ['#3f8aa0', '#17495c'],
    subject: gulls(),
  },
];

function svg({ sky, sun, hills, water, subject }: Scene): string {
  const ridges = hills.map(
    (fill, n) =>
      `<path d="M0 ${600 + n * 40}q200-${120 - n * 40} 420-40t380-60 420 50 380-30V760H0z" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient>
    <linearGradient id="water" x2="0" y2="1"><stop stop-color="${water[0]}"/><stop offset="1" stop-color="${water[1]}"/></linearGradient></defs>
    <rect width="1600" height="1000" fill="url(#sky)"/><circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${sun.fill}"/>
    ${ridges.join('')}<rect y="700" width="1600" height="300" fill="url(#water)"/>${subject}</svg>`;
}

/** Writes the museum's pictures as 1600 × 1000 PNG files into `folder`, in the order of their names. */
export async function drawPictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const scene of SCENES) {
    await sharp(Buffer.from(svg(scene)))
      .png()
      .toFile(join(folder, `${scene.name}.png`));
  }
}
