/**
 * Clients cut an answer near 25,000 tokens, in the middle of whatever is there. Text and JSON of this library have more
 * than 2.4 bytes a token in any script, counting the text and the structured content together.
 */
export const MAX_ANSWER_BYTES = 60_000;

interface Sized {
  text: string;
  structured: unknown;
}

export function answerBytes({ text, structured }: Sized): number {
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(structured));
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
    const bytes = answerBytes(made);
    if (bytes <= MAX_ANSWER_BYTES || items === 1) return made;
    items = Math.max(1, Math.min(items - 1, Math.floor((items * MAX_ANSWER_BYTES) / bytes)));
  }
}
