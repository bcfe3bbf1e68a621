import { z } from 'zod';
import { InvalidArgumentError } from '../../domain/errors.ts';
import { findSimilar, type SimilarAnswer, type SimilarQuestion } from '../../library/find-similar.ts';
import { answerWithinSize } from '../answer-size.ts';
import { cursorArgument, filterArguments, given, idArgument, toFilter } from '../arguments.ts';
import { detailArgument, foundLine, foundScreenSchema, showFound } from '../screen-text.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_HITS = 10;
const MAX_HITS = 50;
const MAX_IMAGE_BYTES = 2 * 2 ** 20;
const DATA_URL = /^data:image\/[a-z.+-]+;base64,/;

const input = z.object({
  screenId: idArgument.optional().describe('A screen of the library, or:'),
  image: z
    .string()
    .min(1)
    .optional()
    .describe('A picture as base64 (JPEG, PNG or WebP, at most 2 MB), such as a screenshot to be reviewed.'),
  by: z
    .enum(['layout', 'meaning'])
    .default('layout')
    .describe('layout: where things sit; meaning: what it is for and says.'),
  ...filterArguments,
  maxPerApp: z.number().int().min(1).max(MAX_HITS).optional().describe('At most this many of one app.'),
  minScore: z.number().min(0).max(1).optional().describe('Leave out weaker hits.'),
  limit: z.number().int().min(1).max(MAX_HITS).default(DEFAULT_HITS),
  cursor: cursorArgument,
  detail: detailArgument,
});

const output = z.object({
  screens: z.array(foundScreenSchema),
  nextCursor: z.string().nullable(),
  hint: z.string().optional(),
});

export const findSimilarScreensTool = defineTool({
  name: 'find_similar_screens',
  title: 'Find similar screens',
  description:
    'Find screens like one of the library (screenId) or like a picture you hand over (image, base64): by layout (same arrangement, whatever the colours and words) or by meaning (same purpose). Filters narrow the answer; excludeIds and maxPerApp give variety. Score is the cosine: by layout above 0.8 is much alike, below 0.7 nothing is shown. Look at hits with view_screens.',
  input,
  output,
  run: (args, { library, waiting }) => {
    const of = subjectOf(args);
    return answerWithinSize(args.limit, async (limit) => {
      const { by, maxPerApp, minScore, cursor, detail } = args;
      const options = given({ maxPerApp, minScore, cursor });
      const question = { of, by, filter: toFilter(args), limit, ...options };
      const answer = await findSimilar(library, question, waiting);
      const hint = answer.hits.length === 0 ? hintFor(answer, args) : undefined;
      return {
        text: describe(answer, hint, args),
        structured: {
          screens: answer.hits.map((hit) => showFound(hit, detail)),
          nextCursor: answer.nextCursor,
          ...given({ hint }),
        },
      };
    });
  },
});

type Arguments = z.output<typeof input>;

function subjectOf({ screenId, image }: Arguments): SimilarQuestion['of'] {
  if (screenId !== undefined && image === undefined) return { screenId };
  if (image !== undefined && screenId === undefined) return { image: decodeBase64(image) };
  throw fault('screenId', 'Give either screenId or image.');
}

function decodeBase64(text: string): Uint8Array {
  const base64 = text.replace(DATA_URL, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) {
    throw fault('image', 'The image must be base64, with or without "data:image/png;base64," before it.');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const size = (bytes.byteLength / 2 ** 20).toFixed(1);
    throw fault(
      'image',
      `The image has ${size} MB; at most 2 MB are taken. Scale it down: 1000 px are enough.`,
    );
  }
  return bytes;
}

function fault(parameter: string, detail: string): InvalidArgumentError {
  return new InvalidArgumentError([{ parameter, detail }]);
}

function describe({ hits, nextCursor }: SimilarAnswer, hint: string | undefined, args: Arguments): string {
  if (hits.length === 0) return `No screen is alike. ${hint ?? ''}`.trim();
  const subject = args.screenId ?? 'the picture';
  const lines = hits.map((hit, index) => foundLine(hit, index + 1, args.detail));
  const more = nextCursor === null ? [] : [`More with cursor ${nextCursor}`];
  return [`${hits.length} screens like ${subject} by ${args.by}, most alike first:`, ...lines, ...more].join(
    '\n',
  );
}

function hintFor({ comparable }: SimilarAnswer, { by, image, minScore }: Arguments): string {
  if (comparable) {
    if (minScore !== undefined) return 'Try a lower minScore.';
    return by === 'layout' ? 'Try by meaning, or fewer filters.' : 'Try by layout, or fewer filters.';
  }
  if (by === 'layout') return 'It has no edge that a layout could be made of; try by meaning.';
  return image === undefined
    ? 'It has no text that could be compared; try by layout.'
    : 'No text that could be compared was found on it; describe it to search_screens, or try by layout.';
}
