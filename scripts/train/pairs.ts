import type { Entry } from './glossary.ts';
import type { Lexicon } from './lexicon.ts';
import { below, pick, sample } from './random.ts';
import type { Random } from './random.ts';
import type { Sense } from './wordnet.ts';

/** Two texts that should mean the same, as rows of the table. */
export interface Pair {
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Pairs of one group are not held against each other; -1 for none. */
  readonly group: number;
}

/** A word, and how it is defined and used; and what is said of it with what is said of the kind of thing it is. */
export function wordnetPairs(senses: readonly Sense[], lexicon: Lexicon, random: Random): Pair[] {
  const byId = new Map(senses.map((sense) => [sense.id, sense]));
  return senses.flatMap((sense) => {
    const words = sense.words.join(' ');
    const pairs = [[words, [sense.definition, ...sense.examples].join(' ')]];
    const kinds = sense.relations.flatMap(({ kind, target }) =>
      KIND_OF.has(kind) ? (byId.get(target) ?? []) : [],
    );
    if (kinds.length > 0) {
      const kind = pick(kinds, random);
      pairs.push([`${words} ${sense.definition}`, `${kind.words.join(' ')} ${kind.definition}`]);
    }
    return pairs.map(([left, right]) => ({
      left: lexicon.encode(left!),
      right: lexicon.encode(right!),
      group: -1,
    }));
  });
}

/** A sense is a kind of, or an instance of, another (man page wninput(5WN)). */
const KIND_OF = new Set(['@', '@i']);

/** How many questions and made-up screens an entry of the glossary gives. */
const PAIRS_PER_ENTRY = 360;
/** Shares of the questions: with two ways of asking at once, in terms of what the thing is made of, with words around. */
const QUESTION = { twofold: 0.2, ofParts: 0.12, opening: 0.5, closing: 0.3 };
/** Shares of the screens: labels alone, as patterns are; questions for copy; with the entry's name among the copy. */
const SCREEN = { labels: 0.25, questions: 0.25, named: 0.3 };
/** Most texts of other screens on a made-up screen: real ones hold menus and much else that is beside the point. */
const MOST_STRAY_TEXTS = 8;

/** Words around a question that say nothing of what is asked for, so that the model learns to pass over them. */
const OPENINGS = (
  'screens where;show me;how do apps;examples of;an example of a;find;where do people;best;the page where users;screen that;' +
  'apps that;a screen for;design of;inspiration for;UI for;I want to see;how does an app;where can I;' +
  'what does it look like when;people;users;good;places where;looking for;a page with;part of the app where'
).split(';');
const CLOSINGS =
  'screen;screens;page;flow;UI;design;in an app;on mobile;on the web;examples;view;pattern;interface;app;website'.split(
    ';',
  );

/**
 * Ways of asking for a thing, with either the labels that such screens have, or screens put together from what they say,
 * with stray texts of others.
 */
export function glossaryPairs(entries: readonly Entry[], lexicon: Lexicon, random: Random): Pair[] {
  const allCopy = entries.flatMap(({ copy }) => copy);
  const names = entries.map(({ name }) => name);
  return entries.flatMap((entry, group) => {
    const asks = [...entry.ask, ...entry.also, entry.name];
    return Array.from({ length: PAIRS_PER_ENTRY }, () => {
      const ofParts = random() < QUESTION.ofParts && entry.parts.length > 0;
      const parts = ofParts ? [sample(entry.parts, 1 + below(2, random), random).join(' ')] : asks;
      const question = askFor(parts, random);
      const labelled = random() < SCREEN.labels;
      const screen = labelled ? labelsOf(entry, names, random) : screenOf(entry, asks, allCopy, random);
      return { left: lexicon.encode(question), right: lexicon.encode(screen.join(' ')), group };
    });
  });
}

function labelsOf(entry: Entry, names: readonly string[], random: Random): string[] {
  return [
    ...sample([entry.name, ...entry.also], 1 + below(2, random), random),
    ...sample(names, below(2, random), random),
  ];
}

function screenOf(
  entry: Entry,
  asks: readonly string[],
  allCopy: readonly string[],
  random: Random,
): string[] {
  const shown = [...entry.copy, ...entry.parts];
  const body = shown.length === 0 || random() < SCREEN.questions ? asks : shown;
  return [
    ...sample(body, 2 + below(9, random), random),
    ...(random() < SCREEN.named ? [entry.name] : []),
    ...sample(allCopy, below(MOST_STRAY_TEXTS + 1, random), random),
  ];
}

function askFor(asks: readonly string[], random: Random): string {
  return [
    random() < QUESTION.opening ? pick(OPENINGS, random) : '',
    pick(asks, random),
    random() < QUESTION.twofold ? pick(asks, random) : '',
    random() < QUESTION.closing ? pick(CLOSINGS, random) : '',
  ].join(' ');
}
