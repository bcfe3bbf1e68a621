import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { InvalidArgumentError } from '../domain/errors.ts';
import type { AppRecord } from '../domain/screen.ts';
import { APP, checkRecord, FLOW, SCREEN } from './manifest-schema.ts';
import type { Reject } from './report.ts';

export type ScreenEntry = z.output<typeof SCREEN> & { place: string };
export type FlowEntry = z.output<typeof FLOW> & { place: string };

/** What a folder offers: the records that are well formed, and what is wrong with the others. */
export interface Manifest {
  apps: AppRecord[];
  screens: ScreenEntry[];
  flows: FlowEntry[];
  rejects: Reject[];
  /** How many screens and flows are among the rejects. */
  rejected: { screens: number; flows: number };
}

/** A record before it is checked. */
interface Item {
  /** `screens[3]`, or `screens.jsonl:4`. */
  place: string;
  /** What joins a field's name to the place. */
  joint: string;
  value: unknown;
  /** The line could not be read at all. */
  unreadable?: string;
}

const SECTIONS = ['apps', 'screens', 'flows'] as const;
type Section = (typeof SECTIONS)[number];

/**
 * Reads and checks `manifest.json`, or `screens.jsonl` with `flows.jsonl` and `apps.jsonl` where they exist. A faulty
 * record is rejected with each fault's place; of two records with one id the first counts.
 * Throws InvalidArgumentError when there is no manifest, two of them, or one that cannot be read as a whole.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const rejects: Reject[] = [];
  const items = await readItems(folder, rejects);
  const apps = checkAll(APP, items.apps, rejects);
  const screens = checkAll(SCREEN, items.screens, rejects);
  const flows = checkAll(FLOW, items.flows, rejects);
  return {
    apps: apps.map(({ id, name }) => ({ id, name })),
    screens,
    flows,
    rejects,
    rejected: {
      screens: items.screens.length - screens.length,
      flows: items.flows.length - flows.length,
    },
  };
}

async function readItems(folder: string, rejects: Reject[]): Promise<Record<Section, Item[]>> {
  const whole = await readIfThere(join(folder, 'manifest.json'));
  const lines = await readIfThere(join(folder, 'screens.jsonl'));
  if (whole !== undefined && lines !== undefined) {
    throw unusable('The folder holds both manifest.json and screens.jsonl: keep the one that counts.');
  }
  if (whole !== undefined) return itemsOfJson(whole, rejects);
  if (lines === undefined) {
    throw unusable(`There is neither manifest.json nor screens.jsonl in ${folder}.`);
  }
  const [apps = '', flows = ''] = await Promise.all(
    ['apps.jsonl', 'flows.jsonl'].map((name) => readIfThere(join(folder, name))),
  );
  return {
    apps: itemsOfLines('apps.jsonl', apps),
    screens: itemsOfLines('screens.jsonl', lines),
    flows: itemsOfLines('flows.jsonl', flows),
  };
}

function itemsOfJson(text: string, rejects: Reject[]): Record<Section, Item[]> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw unusable(`manifest.json is not JSON: ${(error as Error).message}.`);
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw unusable('manifest.json must hold an object with the lists apps, screens and flows.');
  }
  const items: Record<Section, Item[]> = { apps: [], screens: [], flows: [] };
  for (const [name, list] of Object.entries(manifest)) {
    const section = SECTIONS.find((known) => known === name);
    if (section === undefined) {
      rejects.push({ place: name, reason: `is not a field here; the fields are ${SECTIONS.join(', ')}` });
    } else if (Array.isArray(list)) {
      items[section] = list.map((value, index) => ({ place: `${name}[${index}]`, joint: '.', value }));
    } else {
      rejects.push({ place: name, reason: 'must be a list' });
    }
  }
  return items;
}

function itemsOfLines(name: string, text: string): Item[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const item = { place: `${name}:${index + 1}`, joint: ' ' };
    try {
      return { ...item, value: JSON.parse(line) as unknown };
    } catch (error) {
      return { ...item, value: undefined, unreadable: `is not JSON: ${(error as Error).message}` };
    }
  });
}

function checkAll<Shape extends z.ZodRawShape & { id: z.ZodType<string> }>(
  schema: z.ZodObject<Shape>,
  items: readonly Item[],
  rejects: Reject[],
): (z.output<z.ZodObject<Shape>> & { place: string })[] {
  const accepted: (z.output<z.ZodObject<Shape>> & { place: string })[] = [];
  const places = new Map<string, string>();
  for (const { place, joint, value, unreadable } of items) {
    const known = describe(value);
    if (unreadable !== undefined) {
      rejects.push({ place, reason: unreadable });
      continue;
    }
    const checked = checkRecord(schema, value);
    if ('faults' in checked) {
      for (const { path, reason } of checked.faults) {
        rejects.push({ place: path === '' ? place : `${place}${joint}${path}`, ...known, reason });
      }
      continue;
    }
    const { id } = checked.record as { id: string };
    const earlier = places.get(id);
    if (earlier !== undefined) {
      rejects.push({ place: `${place}${joint}id`, ...known, reason: `is already the id of ${earlier}` });
      continue;
    }
    places.set(id, place);
    accepted.push({ ...checked.record, place: `${place}${joint}` });
  }
  return accepted;
}

/** What names a faulty record to its author, where it has it. */
function describe(value: unknown): { id?: string; file?: string } {
  if (typeof value !== 'object' || value === null) return {};
  const { id, file } = value as { id?: unknown; file?: unknown };
  return { ...(typeof id === 'string' ? { id } : {}), ...(typeof file === 'string' ? { file } : {}) };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    // Some editors begin a file with a byte order mark, which JSON does not allow.
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw unusable(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function unusable(detail: string): InvalidArgumentError {
  return new InvalidArgumentError([{ parameter: 'folder', detail }]);
}
