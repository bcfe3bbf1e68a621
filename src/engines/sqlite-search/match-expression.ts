import type { PhraseTerm, QueryTerm, WordTerm } from '../../domain/text.ts';

/** What else than itself and its stem a word may stand for. */
export interface Reading {
  /** Other words that count as this one. */
  spellings: readonly string[];
  /** Whether words that begin with it count. */
  prefix: boolean;
}

export const AS_IT_STANDS: Reading = { spellings: [], prefix: false };

/**
 * The FTS5 expression for screens that match every term. FTS5 has a query language; every token is quoted in it, so
 * that no word of a question is ever read as an operator.
 *
 * @param reading how loosely to take a word
 * @param options.favourNeighbours raises the score of screens where two words of the question stand next to each other,
 *   without changing which screens match
 */
export function matchExpression(
  terms: readonly QueryTerm[],
  reading: (term: WordTerm) => Reading,
  { favourNeighbours = false } = {},
): string {
  return terms
    .map((term, index) => {
      if (term.kind === 'phrase') return phrase(term.tokens);
      const next = terms[index + 1];
      const pair = favourNeighbours && next?.kind === 'word' ? [phrase([term.token, next.token])] : [];
      return `(${[...wordAlternatives(term, reading(term)), ...pair].join(' OR ')})`;
    })
    .join(' AND ');
}

function wordAlternatives({ token, stem }: WordTerm, { spellings, prefix }: Reading): string[] {
  const words = [quote(token), ...spellings.map(quote), ...(prefix ? [`${quote(token)} *`] : [])];
  return [`{word} : (${words.join(' OR ')})`, `{stem} : ${quote(stem)}`];
}

function phrase(tokens: PhraseTerm['tokens']): string {
  return `{word} : ${quote(tokens.join(' '))}`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
