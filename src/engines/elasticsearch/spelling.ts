import type { Client, estypes } from '@elastic/elasticsearch';
import { editDistance } from '../../domain/edit-distance.ts';
import { ONE_TYPO_FROM_LENGTH, type QueryTerm, type WordTerm } from '../../domain/text.ts';
import type { Corrections } from './text-query.ts';

/** Nearest first, so that the most frequent of the nearest are among them. */
const CANDIDATES = 50;
/** The suggester leaves words alone that more screens have than this; a word that is asked for is looked at always. */
const ANY_FREQUENCY = 2_000_000_000;

/** For each word that may be misspelt: of the nearest indexed words the one in most screens, what was most likely meant. */
export async function findCorrections(
  client: Client,
  index: string,
  terms: readonly QueryTerm[],
): Promise<Corrections> {
  const words = terms.filter((term): term is WordTerm => term.kind === 'word' && term.maxTypos > 0);
  const { suggest = {} } = await client.search({ index, size: 0, suggest: suggestersOf(words) });
  return new Map(
    words.flatMap(({ token, maxTypos }, place) => {
      const [answer] = (suggest[String(place)] ?? []) as estypes.SearchTermSuggest[];
      const options = answer === undefined ? [] : [answer.options].flat();
      const likeliest = likeliestOf(token, maxTypos, options);
      return likeliest === undefined ? [] : [[token, likeliest] as const];
    }),
  );
}

function suggestersOf(words: readonly WordTerm[]): estypes.SearchSuggester {
  const suggester = ({ token, maxTypos }: WordTerm) => ({
    text: token,
    term: {
      field: 'word',
      size: CANDIDATES,
      suggest_mode: 'always' as const,
      max_edits: maxTypos,
      prefix_length: 1,
      min_word_length: ONE_TYPO_FROM_LENGTH - maxTypos,
      max_term_freq: ANY_FREQUENCY,
    },
  });
  return Object.fromEntries(words.map((word, place) => [String(place), suggester(word)]));
}

function likeliestOf(
  token: string,
  maxTypos: number,
  options: readonly { text: string; freq: number }[],
): string | undefined {
  let best: { text: string; freq: number; distance: number } | undefined;
  for (const { text, freq } of options) {
    const distance = editDistance(token, text, maxTypos);
    const better =
      best === undefined || distance < best.distance || (distance === best.distance && freq > best.freq);
    if (text !== token && distance <= maxTypos && better) best = { text, freq, distance };
  }
  return best?.text;
}
