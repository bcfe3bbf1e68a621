export interface Book {
  title: string;
  authors: string[];
  series?: string;
  volume?: number;
  tags: string[];
  publisher: string;
  /** ISO 8601 date of publication. */
  published: string;
  description: string;
  /** The body of an SVG, 600 units wide and 900 high. */
  cover: string;
}

const paper = (colour: string): string => `<rect width="600" height="900" fill="${colour}"/>`;

const rings = (x: number, y: number, colour: string): string =>
  [60, 110, 160, 210, 260]
    .map((r) => `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colour}" stroke-width="14"/>`)
    .join('');

const waves = (y: number, colour: string): string =>
  `<path d="M0 ${y}q75-60 150 0t150 0 150 0 150 0V900H0z" fill="${colour}"/>`;

/** An invented shelf: every title, name and drawing is made up for this sample. */
export const BOOKS: Book[] = [
  {
    title: 'The Salt Ledger',
    authors: ['Ines Varga'],
    series: 'Harbour Chronicles',
    volume: 1,
    tags: ['Fiction', 'Historical', 'Sea'],
    publisher: 'Quay Lane Press',
    published: '2019-03-14',
    description:
      '<p>In the winter of 1912 a harbour clerk finds the same barrel of salt entered twice. Following the second entry takes her from the weighing house to the breakwater, and to a shipping line that nobody admits to owning.</p><p>The first of the Harbour Chronicles: a slow, exact mystery about numbers, weather and who is allowed to write things down.</p>',
    cover: `${paper('#F4C95D')}<circle cx="300" cy="330" r="170" fill="#E4572E"/>${waves(480, '#17768A')}${waves(600, '#115E70')}${waves(730, '#0B3C49')}`,
  },
  {
    title: 'A Lamp for the Breakwater',
    authors: ['Ines Varga'],
    series: 'Harbour Chronicles',
    volume: 2,
    tags: ['Fiction', 'Historical', 'Sea'],
    publisher: 'Quay Lane Press',
    published: '2021-10-05',
    description:
      '<p>The lighthouse is to be made automatic, and its keeper is asked to train the machine that replaces him.</p>',
    cover: `${paper('#1B2A49')}<path d="M300 250 600 120V420z" fill="#FFE29A"/><path d="M300 250 0 150V370z" fill="#FFE29A" opacity=".45"/><path d="M250 300h100l40 480H210z" fill="#F7F3EA"/><path d="M240 430h120l10 110H230zM222 650h156l10 110H212z" fill="#D1495B"/><path d="M240 210h120v90H240z" fill="#F2A33A"/><path d="M230 210l70-70 70 70z" fill="#D1495B"/>${waves(780, '#0F1B33')}`,
  },
  {
    title: 'Field Notes on Moss',
    authors: ['Tobias Renn'],
    tags: ['Nature', 'Essays'],
    publisher: 'Understory',
    published: '2022-04-22',
    description:
      '<p>Forty short walks, none longer than a mile, taken at the height of a kneeling person.</p>',
    cover: `${paper('#DDE5B6')}<circle cx="190" cy="300" r="190" fill="#A3B18A"/><circle cx="430" cy="420" r="210" fill="#588157"/><circle cx="230" cy="620" r="220" fill="#3A5A40"/><circle cx="470" cy="760" r="150" fill="#A3B18A"/><path d="M300 130v160M270 150l30 40 30-40" stroke="#3A5A40" stroke-width="14" fill="none"/>`,
  },
  {
    title: 'Bread by Ear',
    authors: ['Odile Marchetti'],
    tags: ['Cooking'],
    publisher: 'Long Table',
    published: '2020-11-03',
    description: '<p>Knock, listen, wait. Sixty loaves for cooks who would rather hear than measure.</p>',
    cover: `${paper('#FBE8D3')}<ellipse cx="300" cy="480" rx="220" ry="280" fill="#C97B3D"/><ellipse cx="300" cy="470" rx="196" ry="254" fill="#E0A15E"/><path d="M200 330q100 60 200 0M180 440q120 70 240 0M180 560q120 70 240 0M210 670q90 50 180 0" stroke="#FBE8D3" stroke-width="24" fill="none" stroke-linecap="round"/>`,
  },
  {
    title: 'Night Bus to Meridian',
    authors: ['Kofi Adjei-Lund'],
    tags: ['Fiction', 'Short stories'],
    publisher: 'Twelve Stops',
    published: '2023-01-17',
    description: '<p>Eleven passengers, one route, and the driver who hears all of it in the mirror.</p>',
    cover: `${paper('#2B2D64')}<circle cx="450" cy="180" r="80" fill="#F7E7A9"/><path d="M0 700h600v200H0z" fill="#191B45"/><rect x="70" y="440" width="460" height="270" rx="40" fill="#EF6F6C"/><path d="M110 490h110v100H110zM245 490h110v100H245zM380 490h110v100H380z" fill="#F7E7A9"/><circle cx="180" cy="715" r="52" fill="#0E0F2B"/><circle cx="420" cy="715" r="52" fill="#0E0F2B"/><circle cx="180" cy="715" r="20" fill="#9AA0D8"/><circle cx="420" cy="715" r="20" fill="#9AA0D8"/>`,
  },
  {
    title: 'The Quiet Compiler',
    authors: ['Mina Sorensen', 'Raj Patel-Holm'],
    tags: ['Computing', 'Essays'],
    publisher: 'Monospace Books',
    published: '2024-06-11',
    description: '<p>What a program says to the people who read it after everyone else has gone home.</p>',
    cover: `${paper('#101820')}<path d="M90 250h120v40H90zM240 250h270v40H240zM150 340h200v40H150zM380 340h90v40h-90zM150 430h90v40h-90zM270 430h240v40H270zM150 520h270v40H150zM90 610h150v40H90z" fill="#2C3E50"/><path d="M240 250h120v40H240zM270 430h110v40H270z" fill="#00C2A8"/><path d="M150 520h130v40H150z" fill="#FEE715"/><path d="M270 610h26v40h-26z" fill="#F7F3EA"/>`,
  },
  {
    title: 'Orchard Mathematics',
    authors: ['Lucia Ferrand'],
    tags: ['Science', 'Nature'],
    publisher: 'Understory',
    published: '2018-09-01',
    description: '<p>Spirals, grafts and counting by fives: how an orchard teaches arithmetic.</p>',
    cover: `${paper('#FFF4E0')}${[0, 1, 2, 3]
      .flatMap((row) =>
        [0, 1, 2].map((column) => [130 + column * 170, 170 + row * 185, row + column] as const),
      )
      .map(
        ([x, y, sum]) =>
          `<circle cx="${x}" cy="${y}" r="62" fill="${['#D1495B', '#EDAE49', '#66A182'][sum % 3]}"/><path d="M${x} ${y - 58}q6-30 34-36" stroke="#5B4334" stroke-width="10" fill="none"/>`,
      )
      .join('')}`,
  },
  {
    title: 'Letters Across the Ice',
    authors: ['Solveig Aune'],
    tags: ['Biography', 'Travel'],
    publisher: 'Quay Lane Press',
    published: '2017-02-28',
    description: '<p>Three winters at a weather station, told through the mail that arrived too late.</p>',
    cover: `${paper('#CFE8F0')}<path d="M0 520 150 330 260 460 400 250 600 520V900H0z" fill="#7FB2C8"/><path d="M150 330l52 60-40 26-52-34zM400 250l70 96-60 30-66-50z" fill="#FFF"/><path d="M0 640 210 520 380 640 600 540V900H0z" fill="#3E7C97"/><rect x="230" y="690" width="140" height="96" fill="#FFF"/><path d="M230 690l70 56 70-56" fill="none" stroke="#D1495B" stroke-width="10"/>`,
  },
  {
    title: 'How to Draw a River',
    authors: ['Ansel Okoye'],
    tags: ['Art', 'Nature'],
    publisher: 'Long Table',
    published: '2021-05-19',
    description: '<p>Twenty lessons with one pencil, beginning upstream.</p>',
    cover: `${paper('#E9D8A6')}<path d="M380 0C220 160 520 260 330 420S120 640 300 900H520C360 660 500 560 560 420S420 160 520 0z" fill="#0A9396"/><path d="M430 0C300 170 560 270 410 430S230 650 380 900" fill="none" stroke="#94D2BD" stroke-width="14"/><path d="M110 190l60-110 60 110zM60 420l60-110 60 110zM80 780l50-96 50 96z" fill="#386641"/>`,
  },
  {
    title: 'Small Engines, Large Weather',
    authors: ['Petra Halloran'],
    tags: ['Travel', 'Essays'],
    publisher: 'Twelve Stops',
    published: '2023-08-30',
    description: '<p>Around the coast on a moped that should have been retired in 1986.</p>',
    cover: `${paper('#F2E9E4')}<path d="M0 560h600v340H0z" fill="#4A4E69"/><path d="M0 700h160v20H0zM220 700h160v20H220zM440 700h160v20H440z" fill="#F2E9E4"/><circle cx="170" cy="560" r="92" fill="none" stroke="#22223B" stroke-width="24"/><circle cx="440" cy="560" r="92" fill="none" stroke="#22223B" stroke-width="24"/><path d="M170 560 260 420h130l50 140M260 420l60 120h120M390 420l-26-80h-50" fill="none" stroke="#E56B6F" stroke-width="24"/><path d="M90 210a70 70 0 0 1 130-40 60 60 0 0 1 110 40z" fill="#9A8C98"/>`,
  },
  {
    title: 'The Cartographer’s Sister',
    authors: ['Noor Castellane'],
    tags: ['Fiction', 'Historical'],
    publisher: 'Quay Lane Press',
    published: '2016-10-12',
    description: '<p>He drew the islands. She had walked them.</p>',
    cover: `${paper('#F6EAD7')}${rings(230, 340, '#D8A48F')}${rings(420, 640, '#BB8588')}<path d="M230 340 300 460 260 560 420 640" fill="none" stroke="#36454F" stroke-width="10" stroke-dasharray="26 18"/><circle cx="230" cy="340" r="26" fill="#36454F"/><circle cx="420" cy="640" r="26" fill="#C8453B"/>`,
  },
  {
    title: 'Seven Ways to Leave a Choir',
    authors: ['Emeka Brandt'],
    tags: ['Fiction', 'Short stories'],
    publisher: 'Twelve Stops',
    published: '2024-02-08',
    description: '<p>Seven voices, seven reasons, one last concert.</p>',
    cover: `${paper('#5F0F40')}${[0, 1, 2, 3, 4, 5, 6]
      .map(
        (n) =>
          `<rect x="${62 + n * 70}" y="${250 + ((n * 3) % 7) * 46}" width="46" height="420" rx="23" fill="${['#FB8B24', '#E36414', '#F4D35E'][n % 3]}"/>`,
      )
      .join('')}`,
  },
];
