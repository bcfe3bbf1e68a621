import { z } from 'zod';
import { parsePlatform } from '../../domain/vocabulary.ts';
import { findFlows, type FindFlowsAnswer } from '../../library/find-flows.ts';
import { answerWithinSize } from '../answer-size.ts';
import { cursorArgument, given, idArgument, platformArgument } from '../arguments.ts';
import { describeFlow, flowLine, flowSchema, showFlow } from '../flow-text.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_FLOWS = 10;
const MAX_FLOWS = 50;
const MAX_STEPS_LISTED = 20;

const input = z.object({
  query: z.string().max(500).optional().describe('What the user of the app is doing, in plain words.'),
  appId: idArgument.optional().describe('Only this app.'),
  type: z.string().trim().min(1).max(100).optional().describe('Kind of flow, e.g. "onboarding", "checkout".'),
  platform: platformArgument,
  limit: z.number().int().min(1).max(MAX_FLOWS).default(DEFAULT_FLOWS),
  cursor: cursorArgument,
});

const output = z.object({
  flows: z.array(
    flowSchema.extend({
      screenIds: z.array(z.string()).describe('In order; the first 20.'),
      score: z.number(),
      matched: z.array(z.string()),
    }),
  ),
  total: z.number().nullable().describe('Exact; null for a ranking by meaning, which has no end.'),
  nextCursor: z.string().nullable(),
  hint: z.string().optional(),
});

export const searchFlowsTool = defineTool({
  name: 'search_flows',
  title: 'Search flows',
  description:
    'Find flows: journeys through several screens of one app, such as onboarding, checkout, paywall, cancellation, sign-up. By words and meaning of name, type and description, or by filters alone (then newest first, with the exact total). Walk through one with get_flow, see it with view_screens (flowId), set 2–4 side by side with compare_flows.',
  input,
  output,
  run: (args, { library }) =>
    answerWithinSize(args.limit, async (limit) => {
      const { query, appId, type, cursor } = args;
      const platform = args.platform === undefined ? undefined : parsePlatform(args.platform);
      const filter = given({ appId, type, platform });
      const answer = await findFlows(library, { filter, limit, ...given({ query, cursor }) });
      const hint = answer.hits.length === 0 ? await hintFor(args, library.catalogue) : undefined;
      const flows = answer.hits.map(({ flow, score, matched }) => ({
        ...showFlow(flow),
        screenIds: flow.screenIds.slice(0, MAX_STEPS_LISTED),
        score,
        matched,
      }));
      const { total, nextCursor } = answer;
      return {
        text: describe(answer, hint),
        structured: { flows, total, nextCursor, ...given({ hint }) },
      };
    }),
});

function describe({ hits, total, nextCursor }: FindFlowsAnswer, hint: string | undefined): string {
  if (hits.length === 0) return `No flow matches. ${hint ?? ''}`.trim();
  const count = total === null ? `${hits.length} flows, best first` : `${hits.length} of ${total} flows`;
  const lines = hits.map(({ flow, score, matched }, index) => {
    const why = matched.length === 0 ? '' : ` · ${score.toFixed(2)} (${matched.join(', ')})`;
    const listed = flow.screenIds.slice(0, MAX_STEPS_LISTED).join(' → ');
    const rest = flow.screenIds.length > MAX_STEPS_LISTED ? ' → …' : '';
    const about = describeFlow(flow);
    return [
      `${index + 1}. ${flowLine(flow)}${why}`,
      ...(about === undefined ? [] : [about]),
      listed + rest,
    ].join('\n   ');
  });
  const more = nextCursor === null ? [] : [`More with cursor ${nextCursor}`];
  return [`${count}:`, ...lines, ...more].join('\n');
}

const MAX_TYPES_NAMED = 30;

async function hintFor(
  { query, appId, type, platform }: z.output<typeof input>,
  catalogue: { flowTypes(): Promise<{ value: string }[]> },
): Promise<string> {
  if (type !== undefined) {
    const types = (await catalogue.flowTypes()).slice(0, MAX_TYPES_NAMED).map(({ value }) => value);
    return `Try another type, or none; flows here are of the types ${types.join(', ')}.`;
  }
  if (appId !== undefined || platform !== undefined) return 'Try without appId and platform.';
  return query === undefined ? 'The library has no flows yet.' : 'Try other words for what is being done.';
}
