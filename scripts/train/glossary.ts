import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a line of an entry holds; the format is described in models/README.md. */
export const LINE_KINDS = ['also', 'ask', 'copy', 'parts', 'near'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** One thing of the trade: a kind of screen, a component, a state, a subject. */
export type Entry = { readonly name: string } & Readonly<Record<LineKind, readonly string[]>>;

/**
 * Reads every `.txt` file of a folder, in the order of their names.
 * @throws Error that names file and line when a line is not in the format, or a name is used twice.
 */
export async function readGlossary(folder: string): Promise<Entry[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.txt')).toSorted();
  if (files.length === 0) throw new Error(`Glossary folder ${folder} holds no .txt file.`);
  const entries = new Map<string, Entry>();
  for (const file of files) {
    for (const entry of parseGlossary(await readFile(join(folder, file), 'utf8'), file)) {
      if (entries.has(entry.name)) throw new Error(`${file}: the entry "${entry.name}" exists already.`);
      entries.set(entry.name, entry);
    }
  }
  return [...entries.values()];
}

/** Parses the text of one glossary file; `file` is for error messages. */
export function parseGlossary(text: string, file: string): Entry[] {
  const entries: (Record<LineKind, string[]> & { name: string })[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      entries.push({ name: line.trim(), also: [], ask: [], copy: [], parts: [], near: [] });
      continue;
    }
    const [, kind, list] = /^ {2}(\w+): (.+)$/.exec(line) ?? [];
    const entry = entries.at(-1);
    if (!entry || !isLineKind(kind) || list === undefined) {
      throw new Error(
        `${file}:${index + 1}: expected a name at the margin, or two spaces and one of ${LINE_KINDS.join(', ')} with a colon.`,
      );
    }
    for (const item of list.split(';')) if (item.trim() !== '') entry[kind].push(item.trim());
  }
  return entries;
}

function isLineKind(value: string | undefined): value is LineKind {
  return LINE_KINDS.some((kind) => kind === value);
}
