import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = 364;
const FIRST_DAY = Date.UTC(2025, 0, 6);
const DAY_MS = 86_400_000;

const COUNTERS: [name: string, weekday: number, weekend: number][] = [
  ['Harbour bridge', 4200, 2100],
  ['Park lane', 1500, 2600],
  ['University', 3100, 700],
];

interface Cell {
  cell_type: 'markdown' | 'code';
  source: string;
}

const text = (source: string): Cell => ({ cell_type: 'markdown', source });
const code = (source: string): Cell => ({ cell_type: 'code', source });

const ANALYSIS: Cell[] = [
  text(
    '# A year of bicycles\n\nThree counters under the asphalt, one number a day. When do people ride, and what does rain change?',
  ),
  code(
    "import pandas as pd\nimport matplotlib.pyplot as plt\n\nrides = pd.read_csv('data/rides.csv', parse_dates=['day'])\nrides.head()",
  ),
  text('## Month by month\n\nThe bridge carries commuters: it hardly notices the summer. The park does.'),
  code(
    "by_month = rides.pivot_table(\n    index=rides.day.dt.month, columns='counter', values='rides', aggfunc='mean'\n)\nax = by_month.plot(figsize=(9, 3.6), lw=2.5, color=['#2a6f97', '#e07a5f', '#81b29a'])\nax.set(xlabel='', ylabel='rides a day', xticks=range(1, 13))\nax.set_xticklabels('JFMAMJJASOND')\nax.spines[['top', 'right']].set_visible(False)\nax.legend(frameon=False, title='');",
  ),
  text('## Rain'),
  code(
    "wet = rides.rain_mm > 2\nchange = rides[wet].groupby('counter').rides.mean() / rides[~wet].groupby('counter').rides.mean() - 1\nchange.map('{:+.0%}'.format)",
  ),
  code(
    "ax = (change * 100).plot.barh(figsize=(9, 2.2), color='#2a6f97')\nax.set(xlabel='change on wet days, %', ylabel='')\nax.spines[['top', 'right']].set_visible(False)",
  ),
];

const BROKEN: Cell[] = [
  text('# Forecast\n\nA first try at next week.'),
  code("import pandas as pd\n\nrides = pd.read_csv('data/rides.csv', parse_dates=['day'])\nlen(rides)"),
  code(
    "days = 7\nlast_week = rides[rides.day > newest - pd.Timedelta(days=days)]\nlast_week.groupby('counter').rides.mean()",
  ),
];

const README = `# Bicycle counters

What three counters under the asphalt tell about a city, day by day.

| counter        | where it lies            | since |
| -------------- | ------------------------ | ----- |
| Harbour bridge | both lanes of the bridge | 2019  |
| Park lane      | the path along the pond  | 2021  |
| University     | at the library           | 2022  |

## How to read the numbers

- A **ride** is one wheel pair; a cargo bicycle counts once.
- \`rain_mm\` comes from the weather station on the harbour office.
- Days on which a counter was repaired are left out.

> The bridge counts commuters. The park counts Sundays.

## Files

1. \`a-year-of-bicycles.ipynb\` – the analysis
2. \`forecast.ipynb\` – a first try, not finished
3. \`data/rides.csv\` – one row a day and counter
`;

function notebook(cells: Cell[]): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: { name: 'python3', display_name: 'Python 3 (ipykernel)', language: 'python' },
      language_info: { name: 'python' },
    },
    cells: cells.map((cell, n) => ({
      id: `cell-${n}`,
      metadata: {},
      ...cell,
      ...(cell.cell_type === 'code' && { execution_count: null, outputs: [] }),
    })),
  });
}

// A pseudo-random number that is the same in every run.
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

function rides(): string {
  const lines = ['day,counter,rides,rain_mm'];
  for (let n = 0; n < DAYS; n += 1) {
    const day = new Date(FIRST_DAY + n * DAY_MS);
    const rain = noise(n) > 0.68 ? Math.round(noise(n + 500) * 120) / 10 : 0;
    const summer = 1 - Math.cos((2 * Math.PI * (n + 5)) / 365);
    for (const [index, [name, weekday, weekend]] of COUNTERS.entries()) {
      const base = [0, 6].includes(day.getUTCDay()) ? weekend : weekday;
      const season = name === 'Park lane' ? 0.4 + 0.7 * summer : 0.8 + 0.2 * summer;
      const wet = rain > 2 ? [0.82, 0.55, 0.78][index] : 1;
      const count = Math.round(base * season * (wet ?? 1) * (0.92 + 0.16 * noise(n * 3 + index)));
      lines.push(`${day.toISOString().slice(0, 10)},${name},${count},${rain}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function touch(path: string, ageDays: number): void {
  const when = (Date.now() - ageDays * DAY_MS) / 1000;
  utimesSync(path, when, when);
}

/** Writes an analyst's folder: two notebooks, a table and a read-me, last touched some days apart. */
export function writeWorkspace(folder: string): void {
  mkdirSync(join(folder, 'data'), { recursive: true });
  mkdirSync(join(folder, 'figures'));
  const files: [name: string, ageDays: number, content: string][] = [
    ['data/rides.csv', 21, rides()],
    ['README.md', 20, README],
    ['a-year-of-bicycles.ipynb', 2, notebook(ANALYSIS)],
    ['forecast.ipynb', 1, notebook(BROKEN)],
    ['old-notes.txt', 90, 'Ask the harbour office about March.\n'],
  ];
  for (const [name, ageDays, content] of files) {
    writeFileSync(join(folder, name), content);
    touch(join(folder, name), ageDays);
  }
  touch(join(folder, 'data'), 21);
  touch(join(folder, 'figures'), 3);
}
