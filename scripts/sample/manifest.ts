import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const SAMPLE_DIR = resolve(import.meta.dirname, '../../sample');

export type Platform = 'IOS' | 'ANDROID' | 'WEB';

export interface ManifestScreen {
  /** Relative to the sample's folder: `images/<appId>/<NN>-<slug>.webp`. */
  file: string;
  /** `<appId>-<slug>`. */
  id: string;
  appId: string;
  platform: Platform;
  /** One to five kebab-case words, the most telling first. */
  pattern: string[];
  /** ISO 8601, UTC. */
  capturedAt: string;
  /** A person's caption, where the words on the screen do not tell what it shows. */
  captionText?: string;
}

export interface ManifestFlow {
  id: string;
  appId: string;
  type: string;
  name: string;
  description: string;
  /** Three to eight screens in the order a person meets them. */
  screenIds: string[];
  capturedAt?: string;
}

export interface Manifest {
  apps: { id: string; name: string }[];
  screens: ManifestScreen[];
  flows: ManifestFlow[];
}

/** What a screen showed when it was captured, read from its DOM: what recognition is judged against. */
export interface Truth {
  file: string;
  theme: 'light' | 'dark';
  /** All the words that could be seen, in document order. */
  text: string;
  /** `#RRGGBB`; null where the largest area is a gradient or a picture. */
  background: string | null;
  /** `#RRGGBB` of the main action; null where there is none. */
  accent: string | null;
  /** Of the image the line speaks of, in hexadecimal. */
  sha256: string;
}

type Captured = Omit<ManifestScreen, 'appId' | 'capturedAt'> &
  Omit<Truth, 'file' | 'sha256'> & { appId?: string; capturedAt?: string };

export interface AppRecords {
  app: { id: string; name: string };
  screens: Captured[];
  flows: (Omit<ManifestFlow, 'appId'> & { appId?: string })[];
}

const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 50;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const COLOUR = /^#[0-9A-F]{6}$/;

/** @returns an empty manifest when there is no file yet */
export function readManifest(sampleDir: string = SAMPLE_DIR): Manifest {
  const file = join(sampleDir, 'manifest.json');
  if (!existsSync(file)) return { apps: [], screens: [], flows: [] };
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

export function readTruth(sampleDir: string = SAMPLE_DIR): Truth[] {
  const file = join(sampleDir, 'truth.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Truth);
}

/**
 * Replaces everything the manifest and the truth say about one application. Several programs may
 * do so at once: a lock file lets them in one by one. A screen whose image bytes are the same
 * keeps its `capturedAt`.
 * @throws naming every fault of the records; nothing is written then
 */
export function replaceApp(records: AppRecords, sampleDir: string = SAMPLE_DIR): void {
  const faults = findFaults(records, sampleDir);
  if (faults.length > 0) throw new Error(`${records.app.id}:\n  ${faults.join('\n  ')}`);
  withLock(join(sampleDir, '.manifest.lock'), () => {
    const manifest = readManifest(sampleDir);
    const truth = readTruth(sampleDir);
    const { app } = records;
    const now = new Date().toISOString();
    const screens: ManifestScreen[] = [];
    const lines: Truth[] = [];
    for (const screen of records.screens) {
      const { file, id, platform, pattern, captionText, theme, text, background, accent } = screen;
      const sha256 = digest(join(sampleDir, file));
      const same = truth.some((line) => line.file === file && line.sha256 === sha256);
      const before = manifest.screens.find((known) => known.file === file)?.capturedAt;
      const capturedAt = (same ? before : undefined) ?? screen.capturedAt ?? now;
      const caption = captionText === undefined ? {} : { captionText };
      screens.push({ file, id, appId: app.id, platform, pattern, capturedAt, ...caption });
      lines.push({ file, theme, text, background, accent, sha256 });
    }
    const flows = records.flows.map(({ id, type, name, description, screenIds, capturedAt }) => {
      const at = capturedAt === undefined ? {} : { capturedAt };
      return { id, appId: app.id, type, name, description, screenIds, ...at };
    });
    const byApp = (a: { appId: string }, b: { appId: string }): number => compare(a.appId, b.appId);
    const prefix = `images/${app.id}/`;
    const others = truth.filter((line) => !line.file.startsWith(prefix));
    writeManifest(sampleDir, {
      apps: [...manifest.apps.filter(({ id }) => id !== app.id), app].toSorted((a, b) => compare(a.id, b.id)),
      // The sort is stable: within an application the given order stays.
      screens: [...manifest.screens.filter(({ appId }) => appId !== app.id), ...screens].toSorted(byApp),
      flows: [...manifest.flows.filter(({ appId }) => appId !== app.id), ...flows].toSorted(byApp),
    });
    const sorted = [...others, ...lines].toSorted((a, b) => compare(a.file, b.file));
    writeWhole(join(sampleDir, 'truth.jsonl'), sorted.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
}

function findFaults({ app, screens, flows }: AppRecords, sampleDir: string): string[] {
  const faults: string[] = [];
  const ids = new Set(screens.map(({ id }) => id));
  if (!KEBAB.test(app.id)) faults.push(`app id "${app.id}" is not kebab-case`);
  if (ids.size !== screens.length) faults.push('two screens have the same id');
  for (const { file, id, pattern, background, accent, text } of screens) {
    const slug = new RegExp(`^images/${app.id}/\\d\\d-([a-z0-9-]+)\\.webp$`).exec(file)?.[1];
    if (slug === undefined) faults.push(`${file} is not images/${app.id}/<NN>-<slug>.webp`);
    else if (id !== `${app.id}-${slug}`) faults.push(`${id} should be ${app.id}-${slug}`);
    if (!existsSync(join(sampleDir, file))) faults.push(`${file} does not exist`);
    if (pattern.length < 1 || pattern.length > 5) faults.push(`${id} should have 1 to 5 patterns`);
    for (const word of pattern)
      if (!KEBAB.test(word)) faults.push(`${id}: pattern "${word}" is not kebab-case`);
    for (const colour of [background, accent])
      if (colour !== null && !COLOUR.test(colour))
        faults.push(`${id}: colour "${colour}" is not #RRGGBB in capitals`);
    if (/127\.0\.0\.1|localhost|file:\/\//i.test(text))
      faults.push(`${id} shows an address of the machine it was captured on`);
  }
  if (new Set(flows.map(({ id }) => id)).size !== flows.length) faults.push('two flows have the same id');
  for (const { id, type, screenIds } of flows) {
    if (!id.startsWith(`${app.id}-`)) faults.push(`flow ${id} should start with ${app.id}-`);
    if (!KEBAB.test(type)) faults.push(`flow ${id}: type "${type}" is not kebab-case`);
    if (screenIds.length < 3 || screenIds.length > 8)
      faults.push(`flow ${id} should have 3 to 8 screens, has ${screenIds.length}`);
    for (const screenId of screenIds)
      if (!ids.has(screenId)) faults.push(`flow ${id} names ${screenId}, which is no screen of it`);
  }
  return faults;
}

/** A record a line: a change of one screen is a change of one line. */
function writeManifest(sampleDir: string, { apps, screens, flows }: Manifest): void {
  const list = (records: object[]): string =>
    records.map((record) => `\n    ${JSON.stringify(record)}`).join(',');
  const parts = Object.entries({ apps, screens, flows }).map(
    ([name, records]) => `  "${name}": [${list(records)}\n  ]`,
  );
  writeWhole(join(sampleDir, 'manifest.json'), `{\n${parts.join(',\n')}\n}\n`);
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

function withLock(file: string, work: () => void): void {
  const deadline = Date.now() + LOCK_WAIT_MS;
  let handle: number | undefined;
  while (handle === undefined) {
    try {
      handle = openSync(file, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (Date.now() > deadline)
        throw new Error(`${file} is held: remove it if nothing else is writing the sample`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
  }
  try {
    work();
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
