import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { editDistance } from '../../domain/edit-distance.ts';
import type { WordTerm } from '../../domain/text.ts';
import { AS_IT_STANDS, matchExpression } from './match-expression.ts';

const MAX_REMEMBERED_WORDS = 2000;

export interface Spelling {
  /** Every indexed word within the term's typos of it, itself left out. */
  near(term: WordTerm): readonly string[];
  /** Of the nearest of these, the one in most screens: what was most likely meant. */
  likeliest(term: WordTerm): string | undefined;
}

interface Remembered {
  /** Id of the newest vocabulary word that was looked at. */
  seen: number;
  words: string[];
}

/** Finds misspelt words in the vocabulary. What it found is remembered; later it looks only at words that are new. */
export function createSpelling(database: DatabaseSync): Spelling {
  const newest = database.prepare('SELECT max(id) AS id FROM vocabulary');
  // The plus keeps SQLite on the index of words: it holds the first letter's words together.
  const candidates = database.prepare(
    'SELECT word FROM vocabulary WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ? AND +id > ?',
  );
  const screensWith = database.prepare(
    'SELECT count(*) AS screens FROM screen_text WHERE screen_text MATCH ?',
  );
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED_WORDS });

  function near({ token, maxTypos }: WordTerm): readonly string[] {
    const firstLetter = token.codePointAt(0);
    const last = Number(newest.get()?.['id'] ?? 0);
    if (maxTypos === 0 || firstLetter === undefined) return [];
    const known = remembered.get(token) ?? { seen: 0, words: [] };
    if (known.seen === last) return known.words;

    const { length } = Array.from(token);
    const rows = candidates.all(
      String.fromCodePoint(firstLetter),
      String.fromCodePoint(firstLetter + 1),
      length - maxTypos,
      length + maxTypos,
      // Fewer words than were seen: the index was emptied in between.
      known.seen > last ? 0 : known.seen,
    );
    const found = rows
      .map((row) => String(row['word']))
      .filter((word) => word !== token && editDistance(token, word, maxTypos) <= maxTypos);
    const words = [...new Set([...known.words, ...found])];
    remembered.set(token, { seen: last, words });
    return words;
  }

  function screensContaining(word: string): number {
    const term = { kind: 'phrase', tokens: [word] } as const;
    return Number(screensWith.get(matchExpression([term], () => AS_IT_STANDS))?.['screens'] ?? 0);
  }

  return {
    near,
    likeliest(term) {
      const words = near(term);
      const distances = new Map(words.map((word) => [word, editDistance(term.token, word, term.maxTypos)]));
      const nearest = Math.min(...distances.values());
      let best: { word: string; screens: number } | undefined;
      for (const word of words.filter((candidate) => distances.get(candidate) === nearest)) {
        const screens = screensContaining(word);
        if (screens > (best?.screens ?? 0)) best = { word, screens };
      }
      return best?.word;
    },
  };
}
