import type { Entry } from './glossary.ts';
import type { Lexicon } from './lexicon.ts';
import { below, pick, sample } from './random.ts';
import type { Random } from './random.ts';
import type { Sense } from './wordnet.ts';

/** Two texts that should mean the same, as numbers of stems. */
export interface Pair {
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Pairs of one group are not held against each other; -1 for none. */
  readonly group: number;
}

/** How many made-up screens and questions an entry of the glossary gives. */
const PAIRS_PER_ENTRY = 80;

/** A word, and how it is defined and used. */
export function wordnetPairs(senses: readonly Sense[], lexicon: Lexicon): Pair[] {
  return senses.map((sense) => ({
    left: lexicon.encode(sense.words.join(' ')),
    right: lexicon.encode([sense.definition, ...sense.examples].join(' ')),
    group: -1,
  }));
}

/** Ways of asking for a thing, and screens put together from what such screens say, with stray texts of other screens. */
export function glossaryPairs(entries: readonly Entry[], lexicon: Lexicon, random: Random): Pair[] {
  const allCopy = entries.flatMap(({ copy }) => copy);
  return entries.flatMap((entry, group) => {
    const asks = [...entry.ask, ...entry.also, entry.name];
    const shown = [...entry.copy, ...entry.parts];
    return Array.from({ length: PAIRS_PER_ENTRY }, () => {
      const question = random() < 0.2 ? [pick(asks, random), pick(asks, random)] : [pick(asks, random)];
      const body = shown.length === 0 || random() < 0.25 ? asks : shown;
      const screen = [
        ...sample(body, 2 + below(9, random), random),
        ...(random() < 0.3 ? [entry.name] : []),
        ...sample(allCopy, below(4, random), random),
      ];
      return { left: lexicon.encode(question.join(' ')), right: lexicon.encode(screen.join(' ')), group };
    });
  });
}
