/** Clients cut an answer near 25,000 tokens, in the middle of whatever is there. This leaves room for the estimate. */
const MAX_ANSWER_TOKENS = 20_000;

/**
 * An estimate of what a text costs a language model: a token for every seven letters of a word, every three digits, and
 * every three other characters in a row but blanks; of letters beyond ASCII each its own. For the listing of tools it comes
 * out a tenth above a common tokenizer (o200k).
 */
export function estimateTokens(text: string): number {
  return text.match(/[A-Za-z]{1,7}|\d{1,3}|[!-/:-@[-`{-~]{1,3}|[^\s!-~]/gu)?.length ?? 0;
}

interface Sized {
  text: string;
  structured: unknown;
}

/**
 * Answers with as many items as fit, asking again for fewer when they do not, so that the answer's own cursor leads on
 * to the rest.
 * @param wanted how many items were asked for, at least 1
 * @param answer makes the answer with at most so many items; a single item fits
 */
export async function answerWithinSize<Answer extends Sized>(
  wanted: number,
  answer: (items: number) => Promise<Answer>,
): Promise<Answer> {
  let items = wanted;
  for (;;) {
    const made = await answer(items);
    // Some clients hand both halves to the model.
    const tokens = estimateTokens(made.text) + estimateTokens(JSON.stringify(made.structured));
    if (tokens <= MAX_ANSWER_TOKENS || items === 1) return made;
    items = Math.max(1, Math.min(items - 1, Math.floor((items * MAX_ANSWER_TOKENS) / tokens)));
  }
}
