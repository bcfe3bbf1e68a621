/** What a learner finds: every channel, folder and resource is written and drawn for this sample. */

export interface Resource {
  title: string;
  kind: 'html5' | 'exercise' | 'document' | 'video';
  description: string;
  /** Minutes. */
  duration: number;
  picture: string;
}

export interface Folder {
  title: string;
  description: string;
  picture: string;
  resources: Resource[];
}

export interface Channel {
  name: string;
  description: string;
  picture: string;
  folders: Folder[];
}

const ground = (colour: string, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270"><rect width="480" height="270" fill="${colour}"/>${drawing}</svg>`;

const wave = (y: number, colour: string): string =>
  `<path d="M0 ${y}q60-44 120 0t120 0 120 0 120 0V270H0z" fill="${colour}"/>`;

const sea = ground(
  '#BFE3EE',
  `<circle cx="370" cy="80" r="44" fill="#FFD873"/>${wave(150, '#3E9FB8')}${wave(200, '#1F6E8C')}`,
);
const moon = ground(
  '#1D2B53',
  `<circle cx="120" cy="90" r="50" fill="#F7EFCF"/><circle cx="142" cy="78" r="42" fill="#1D2B53"/>${wave(190, '#3B5BA5')}${wave(225, '#27407A')}`,
);
const harbour = ground(
  '#F6D9B8',
  `<path d="M150 130h180l-34 60H184z" fill="#E4572E"/><path d="M240 30v96h-80z" fill="#FFF"/><path d="M248 44l70 82h-70z" fill="#F3C15F"/>${wave(185, '#2F7F8C')}`,
);
const wind = ground(
  '#DDEFE3',
  '<path d="M40 90h220a34 34 0 1 0-34-34M40 140h320a40 40 0 1 1-40 40M40 190h170a28 28 0 1 1-28 28" fill="none" stroke="#3F7F63" stroke-width="16" stroke-linecap="round"/>',
);
const cloud = ground(
  '#7FB2D6',
  '<path d="M120 170a56 56 0 0 1 14-110 72 72 0 0 1 138-8 62 62 0 0 1 70 118z" fill="#FFF"/><path d="M160 196l-14 40M220 196l-14 40M280 196l-14 40" stroke="#FFF" stroke-width="12" stroke-linecap="round"/>',
);
const lamp = ground(
  '#2B2D64',
  '<path d="M240 90 480 20v140z" fill="#FFE29A"/><path d="M212 96h56l18 174h-92z" fill="#F7F3EA"/><path d="M208 130h64l5 44h-74z" fill="#D1495B"/><path d="M206 66h68v34h-68z" fill="#F2A33A"/><path d="M200 66l40-40 40 40z" fill="#D1495B"/>',
);
const apples = ground(
  '#FFF4E0',
  [80, 160, 240, 320, 400]
    .map(
      (x, n) =>
        `<circle cx="${x}" cy="150" r="36" fill="${['#D1495B', '#EDAE49', '#66A182'][n % 3]}"/><path d="M${x} 116q4-22 22-26" stroke="#5B4334" stroke-width="7" fill="none"/>`,
    )
    .join(''),
);
const pie = ground(
  '#FCE4D8',
  '<circle cx="240" cy="135" r="100" fill="#C97B3D"/><path d="M240 135V35a100 100 0 0 1 86 150z" fill="#F4C95D"/><path d="M240 135V35M240 135l86 50M240 135l-86 50" stroke="#FCE4D8" stroke-width="8"/>',
);
const clock = ground(
  '#E3DDF2',
  '<circle cx="240" cy="135" r="100" fill="#FFF" stroke="#5B4A9C" stroke-width="14"/><path d="M240 135V70M240 135l46 30" stroke="#5B4A9C" stroke-width="12" stroke-linecap="round"/>',
);
const bars = ground(
  '#EAF1D5',
  '<path d="M80 230V150h54v80zM170 230V90h54v140zM260 230V120h54v110zM350 230V50h54v180z" fill="#588157"/><path d="M50 234h390" stroke="#3A5A40" stroke-width="8"/>',
);
const bread = ground(
  '#FBE8D3',
  '<ellipse cx="240" cy="150" rx="150" ry="80" fill="#C97B3D"/><ellipse cx="240" cy="142" rx="134" ry="66" fill="#E0A15E"/><path d="M160 110l30 50M220 96l30 66M290 104l24 54" stroke="#FBE8D3" stroke-width="14" stroke-linecap="round"/>',
);
const flask = ground(
  '#D9F0EC',
  '<path d="M206 40h68v80l64 106a20 20 0 0 1-18 30H160a20 20 0 0 1-18-30l64-106z" fill="#FFF"/><path d="M180 170h120l38 60a20 20 0 0 1-18 26H160a20 20 0 0 1-18-26z" fill="#0A9396"/><circle cx="216" cy="206" r="10" fill="#FFF"/><circle cx="260" cy="220" r="14" fill="#FFF"/>',
);
const seed = ground(
  '#E9F3D8',
  '<path d="M240 240V120" stroke="#3A5A40" stroke-width="12"/><path d="M240 140c-70 4-100-34-104-84 70-4 104 30 104 84zM240 120c60 0 86-30 92-72-60-4-92 24-92 72z" fill="#7FB36F"/><path d="M120 236h240v34H120z" fill="#8A5A3C"/>',
);
const map = ground(
  '#E9D8A6',
  '<path d="M300 0C220 60 400 110 270 160S140 230 230 270h120C280 220 340 190 390 140S330 50 400 0z" fill="#0A9396"/><path d="M80 90l36-64 36 64zM60 190l36-64 36 64z" fill="#386641"/>',
);

export const CHANNELS: Channel[] = [
  {
    name: 'Sea and weather',
    description:
      'Tides, wind and clouds for curious people between nine and fourteen, with something to try in every lesson.',
    picture: sea,
    folders: [
      {
        title: 'Tides',
        description: 'Why the water comes and goes twice a day.',
        picture: moon,
        resources: [
          {
            title: 'What makes the tide',
            kind: 'html5',
            description: 'The Moon pulls, the Earth turns.',
            duration: 8,
            picture: moon,
          },
          {
            title: 'Quiz: high and low water',
            kind: 'exercise',
            description: 'Three questions about the tide.',
            duration: 5,
            picture: harbour,
          },
          {
            title: 'Reading a tide table',
            kind: 'document',
            description: 'Find the next low water in your harbour.',
            duration: 12,
            picture: sea,
          },
          {
            title: 'A day at the gauge',
            kind: 'video',
            description: 'One day in the life of a water level.',
            duration: 6,
            picture: harbour,
          },
        ],
      },
      {
        title: 'Wind',
        description: 'From a breath to a storm in twelve steps.',
        picture: wind,
        resources: [
          {
            title: 'Measuring wind by eye',
            kind: 'document',
            description: 'Leaves, flags and chimneys as instruments.',
            duration: 10,
            picture: wind,
          },
        ],
      },
      {
        title: 'Clouds',
        description: 'Ten names, three heights and one promise of rain.',
        picture: cloud,
        resources: [
          {
            title: 'Ten clouds to know',
            kind: 'document',
            description: 'A field card to print.',
            duration: 9,
            picture: cloud,
          },
        ],
      },
      {
        title: 'Lights at sea',
        description: 'How a lighthouse says its name.',
        picture: lamp,
        resources: [
          {
            title: 'Flash, pause, flash',
            kind: 'video',
            description: 'Every light has its own rhythm.',
            duration: 7,
            picture: lamp,
          },
        ],
      },
    ],
  },
  {
    name: 'Everyday numbers',
    description: 'Fractions, clocks and charts with things that lie on the kitchen table.',
    picture: pie,
    folders: [
      {
        title: 'Fractions',
        description: 'Cut, share, compare.',
        picture: pie,
        resources: [
          {
            title: 'Sharing a pie',
            kind: 'document',
            description: 'Halves, thirds and the last piece.',
            duration: 10,
            picture: pie,
          },
        ],
      },
      {
        title: 'Counting',
        description: 'By ones, by fives, by dozens.',
        picture: apples,
        resources: [
          {
            title: 'An orchard in rows',
            kind: 'document',
            description: 'Multiplication without a table.',
            duration: 8,
            picture: apples,
          },
        ],
      },
      {
        title: 'Time',
        description: 'Hours, halves and timetables.',
        picture: clock,
        resources: [
          {
            title: 'Catch the 14:52',
            kind: 'document',
            description: 'How long until the bus leaves?',
            duration: 7,
            picture: clock,
          },
        ],
      },
      {
        title: 'Charts',
        description: 'Pictures of numbers, and how they fib.',
        picture: bars,
        resources: [
          {
            title: 'Bars that tell the truth',
            kind: 'document',
            description: 'Where does the axis begin?',
            duration: 9,
            picture: bars,
          },
        ],
      },
    ],
  },
  {
    name: 'Kitchen science',
    description: 'Experiments that need no laboratory: yeast, vinegar, seeds and a little patience.',
    picture: flask,
    folders: [
      {
        title: 'Bread',
        description: 'What yeast does all night.',
        picture: bread,
        resources: [
          {
            title: 'Balloon on a bottle',
            kind: 'document',
            description: 'Watch yeast breathe.',
            duration: 15,
            picture: bread,
          },
        ],
      },
      {
        title: 'Acids and bases',
        description: 'Red cabbage knows.',
        picture: flask,
        resources: [
          {
            title: 'Cabbage rainbow',
            kind: 'document',
            description: 'Seven colours from one leaf.',
            duration: 20,
            picture: flask,
          },
        ],
      },
      {
        title: 'Seeds',
        description: 'Up is always up.',
        picture: seed,
        resources: [
          {
            title: 'A bean in the dark',
            kind: 'document',
            description: 'Which way will it grow?',
            duration: 10,
            picture: seed,
          },
        ],
      },
    ],
  },
  {
    name: 'Maps of home',
    description: 'Draw the way to school, then the town, then the river behind it.',
    picture: map,
    folders: [
      {
        title: 'Your first map',
        description: 'Paper, pencil, ten paces.',
        picture: map,
        resources: [
          {
            title: 'From the door to the gate',
            kind: 'document',
            description: 'Paces as a scale.',
            duration: 10,
            picture: map,
          },
        ],
      },
    ],
  },
];
