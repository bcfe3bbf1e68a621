import { createHash } from 'node:crypto';

/** A package of the invented observatory team whose registry is shown. */
export interface DemoPackage {
  name: string;
  description: string;
  keywords: string[];
  licence: string;
  /** Oldest first. */
  versions: string[];
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  readme: string;
}

const readme = (title: string, summary: string, code: string, more: string): string =>
  `# ${title}\n\n${summary}\n\n## Use\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${more}\n`;

export const PACKAGES: DemoPackage[] = [
  {
    name: '@orrery/star-map',
    description: 'Draws the sky of any place and hour as SVG',
    keywords: ['astronomy', 'svg', 'map', 'projection'],
    licence: 'MIT',
    versions: ['1.0.0', '1.1.0', '1.2.0', '1.3.1', '2.0.0-beta.1', '2.0.0', '2.1.0'],
    dependencies: {
      '@orrery/ephemeris': '^3.2.0',
      'd3-geo': '^3.1.0',
      'date-fns': '^4.1.0',
      tinycolor2: '^1.6.0',
    },
    devDependencies: { typescript: '^7.0.0', vitest: '^5.0.0', oxlint: '^1.80.0' },
    readme: readme(
      'Star map',
      'The sky above a place, at an hour, as one SVG. No canvas, no browser needed.',
      "import { starMap } from '@orrery/star-map';\n\nconst svg = starMap({\n  latitude: 52.37,\n  longitude: 4.9,\n  at: new Date('2026-03-20T22:00:00Z'),\n  magnitude: 5.5,\n});",
      '## Projections\n\n- **stereographic** keeps the shape of constellations\n- **azimuthal** keeps their distance from the zenith\n- **mercator** for a band along the ecliptic\n\nStars come from a public catalogue; planets from `@orrery/ephemeris`.',
    ),
  },
  {
    name: '@orrery/ephemeris',
    description: 'Positions of the Sun, the Moon and the planets to an arc minute',
    keywords: ['astronomy', 'planets', 'time'],
    licence: 'MIT',
    versions: ['3.0.0', '3.1.0', '3.2.0', '3.2.4'],
    dependencies: {},
    devDependencies: { typescript: '^7.0.0', vitest: '^5.0.0' },
    readme: readme(
      'Ephemeris',
      'Where the planets are. Pure functions, no tables to download.',
      "import { position } from '@orrery/ephemeris';\n\nposition('mars', new Date());\n// { rightAscension: 7.41, declination: 23.8 }",
      'Good to an arc minute between the years 1900 and 2100.',
    ),
  },
  {
    name: '@orrery/ui',
    description: 'Buttons, dials and night-vision colours for instrument panels',
    keywords: ['components', 'design-system', 'dark-mode'],
    licence: 'Apache-2.0',
    versions: ['0.9.0', '0.10.0', '0.11.2'],
    dependencies: { clsx: '^2.1.0' },
    devDependencies: { typescript: '^7.0.0' },
    readme: readme(
      'Orrery UI',
      'Components for screens that are read in the dark.',
      "import { Dial } from '@orrery/ui';",
      'Every colour has a red twin that leaves your eyes adapted.',
    ),
  },
  {
    name: '@orrery/telescope-client',
    description: 'Talks to the dome, the mount and the camera over one socket',
    keywords: ['telescope', 'websocket', 'client'],
    licence: 'MIT',
    versions: ['4.0.0', '4.0.1', '4.1.0'],
    dependencies: { ws: '^8.18.0' },
    devDependencies: {},
    readme: readme(
      'Telescope client',
      'Opens the dome, points the mount, reads the camera.',
      "const mount = await connect('mount-2');\nawait mount.slewTo({ ra: 5.59, dec: -5.39 });",
      'Commands are queued while the dome turns.',
    ),
  },
  {
    name: '@orrery/moon-calendar',
    description: 'Phases, rises and sets as an iCalendar feed',
    keywords: ['moon', 'calendar', 'ics'],
    licence: 'MIT',
    versions: ['1.4.0', '1.5.0'],
    dependencies: { '@orrery/ephemeris': '^3.0.0' },
    devDependencies: {},
    readme: readme(
      'Moon calendar',
      'A feed of phases for any place.',
      'moonCalendar({ year: 2027 });',
      'Times are in UTC.',
    ),
  },
  {
    name: 'eslint-config-orrery',
    description: 'The team’s lint rules, with reasons',
    keywords: ['eslint', 'eslintconfig'],
    licence: 'MIT',
    versions: ['7.0.0', '8.0.0'],
    dependencies: {},
    devDependencies: {},
    readme: '# Lint rules\n\nEach rule comes with the bug that it would have caught.\n',
  },
  {
    name: 'sky-quality-index',
    description: 'How dark is it tonight? One number from cloud, moon and town lights',
    keywords: ['light-pollution', 'weather'],
    licence: 'BSD-3-Clause',
    versions: ['0.3.0'],
    dependencies: { '@orrery/ephemeris': '^3.2.0' },
    devDependencies: {},
    readme: '# Sky quality index\n\nFrom 0, daylight, to 100, a moonless night in the desert.\n',
  },
];

/** The registry protocol's publish document for one version. */
export function publishDocument(item: DemoPackage, version: string): Record<string, unknown> {
  const archive = Buffer.from(`${item.name}@${version}`.repeat(40));
  const file = `${item.name.split('/').at(-1)}-${version}.tgz`;
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const manifest = {
    name: item.name,
    version,
    description: item.description,
    keywords: item.keywords,
    license: item.licence,
    author: { name: 'Observatory software' },
    main: 'index.js',
    types: 'index.d.ts',
    engines: { node: '>=22' },
    dependencies: item.dependencies,
    devDependencies: item.devDependencies,
    readme: item.readme,
    _id: `${item.name}@${version}`,
    dist: {
      integrity,
      shasum: createHash('sha1').update(archive).digest('hex'),
      tarball: `https://packages.example.com/${item.name}/-/${file}`,
    },
  };
  return {
    _id: item.name,
    name: item.name,
    description: item.description,
    'dist-tags': { [version.includes('beta') ? 'next' : 'latest']: version },
    versions: { [version]: manifest },
    readme: item.readme,
    _attachments: {
      [file]: {
        content_type: 'application/octet-stream',
        data: archive.toString('base64'),
        length: archive.length,
      },
    },
  };
}
