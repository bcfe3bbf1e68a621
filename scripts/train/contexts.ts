import type { Context } from './cooccurrence.ts';
import type { Entry } from './glossary.ts';
import { textsOfEntry, textsOfSense } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { createRandom, pick } from './random.ts';
import type { Sense } from './wordnet.ts';

/** Weights of contexts, chosen by measuring (models/README.md): near words mean more than far ones, ours more than theirs. */
const WEIGHT = { line: 4, entry: 4, sense: 1, relation: 0.5, walk: 0.25 };

const WALKS_PER_SENSE = 8;
const STEPS_PER_WALK = 7;
/** A walk goes on to a sense of the definition, not to a relation, this often; and back to its start this often. */
const STEP_TO_DEFINITION = 0.4;
const STEP_HOME = 0.1;
const WALK_SEED = 5;
/** Words that more definitions hold than this lead a walk nowhere in particular. */
const COMMONEST_LINK_WORD = 1500;

/** Words that stand together in the glossary: in a line with the entry's name, and in the whole entry. */
export function glossaryContexts(entries: readonly Entry[], lexicon: Lexicon): Context[] {
  return entries.flatMap((entry) => {
    const texts = textsOfEntry(entry).slice(1);
    return [
      ...texts.map((text) => context(`${entry.name} ${text}`, WEIGHT.line, lexicon)),
      context(textsOfEntry(entry).join(' '), WEIGHT.entry * texts.length, lexicon),
    ];
  });
}

/** Words that stand together in a sense's own text, or in the words of two related senses. */
export function wordnetContexts(senses: readonly Sense[], lexicon: Lexicon): Context[] {
  const byId = new Map(senses.map((sense) => [sense.id, sense]));
  return senses.flatMap((sense) => [
    context(textsOfSense(sense).join(' '), WEIGHT.sense, lexicon),
    ...sense.relations.flatMap(({ kind, target }) => {
      const other = byId.get(target);
      if (!other || !TELLING_RELATIONS.has(kind)) return [];
      const definition = kind === '@' || kind === ';c' ? other.definition : '';
      return context([...sense.words, ...other.words, definition].join(' '), WEIGHT.relation, lexicon);
    }),
  ]);
}

/** One direction of each relation that says something of what a word is about (symbols: man page wninput(5WN)). */
const TELLING_RELATIONS = new Set([
  '@',
  '@i',
  '+',
  ';c',
  '%p',
  '%m',
  '%s',
  '&',
  '=',
  '\\',
  '*',
  '>',
  '^',
  '$',
]);

/**
 * Words met on random walks over WordNet, from sense to related sense and to the senses of the words that define it
 * (Goikoetxea, Soroa and Agirre, "Random walks and neural network language models on knowledge bases", 2015).
 */
export function walkContexts(senses: readonly Sense[], lexicon: Lexicon): Context[] {
  const random = createRandom(WALK_SEED);
  const { related, defining } = linkSenses(senses, lexicon);
  const words = senses.map((sense) => sense.words.map((word) => lexicon.encode(word)));
  const walks: Context[] = [];
  senses.forEach((_, home) => {
    for (let walk = 0; walk < WALKS_PER_SENSE; walk += 1) {
      const met = new Set<number>();
      let at = home;
      for (let step = 0; step < STEPS_PER_WALK; step += 1) {
        for (const word of pick(words[at]!, random)) met.add(word);
        const toDefinition = random() < STEP_TO_DEFINITION || related[at]!.length === 0;
        const next = toDefinition && defining[at]!.length > 0 ? defining[at]! : related[at]!;
        if (next.length === 0) break;
        at = random() < STEP_HOME ? home : pick(next, random);
      }
      walks.push({ words: Int32Array.from(met), weight: WEIGHT.walk });
    }
  });
  return walks;
}

/** For every sense the places of its related senses, and of the likeliest senses of the words that define it, both ways. */
function linkSenses(
  senses: readonly Sense[],
  lexicon: Lexicon,
): { related: number[][]; defining: number[][] } {
  const place = new Map(senses.map((sense, index) => [sense.id, index]));
  const related = senses.map((sense) =>
    sense.relations.flatMap(({ kind, target }) =>
      kind === '!' || kind === '~i' ? [] : (place.get(target) ?? []),
    ),
  );
  const definitions = senses.map((sense) => new Set(lexicon.encode(sense.definition)));
  const spread = new Int32Array(lexicon.lemmas.length);
  for (const definition of definitions) for (const row of definition) spread[row]! += 1;

  const likeliest = new Map<number, number>();
  senses.forEach((sense, index) => {
    for (const word of sense.words) {
      const [row, ...more] = lexicon.encode(word);
      if (row === undefined || more.length > 0 || word.includes(' ')) continue;
      const best = likeliest.get(row);
      if (best === undefined || senses[best]!.uses < sense.uses) likeliest.set(row, index);
    }
  });
  const defining: number[][] = senses.map(() => []);
  definitions.forEach((definition, index) => {
    for (const row of definition) {
      const target = likeliest.get(row);
      if (target === undefined || target === index || spread[row]! > COMMONEST_LINK_WORD) continue;
      defining[index]!.push(target);
      if (defining[target]!.length < MOST_LINKS) defining[target]!.push(index);
    }
  });
  return { related, defining };
}

const MOST_LINKS = 200;

function context(text: string, weight: number, lexicon: Lexicon): Context {
  return { words: Int32Array.from(new Set(lexicon.encode(text))), weight };
}
