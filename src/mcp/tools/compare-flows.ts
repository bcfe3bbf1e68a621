import { z } from 'zod';
import {
  compareFlows,
  MAX_COMPARED_FLOWS,
  MAX_COMPARED_STEPS,
  MIN_COMPARED_FLOWS,
  type FlowComparison,
} from '../../library/compare-flows.ts';
import { answerWithinSize } from '../answer-size.ts';
import { given, idArgument } from '../arguments.ts';
import { flowLine, flowSchema, showFlow } from '../flow-text.ts';
import { defineTool } from '../tool.ts';

const MAX_ROWS = 200;
const MAX_PATTERNS_NAMED = 30;

const input = z.object({
  flowIds: z
    .array(idArgument)
    .min(MIN_COMPARED_FLOWS)
    .max(MAX_COMPARED_FLOWS)
    .describe('Ids of 2 to 4 flows, from search_flows.'),
});

const output = z.object({
  flows: z.array(
    flowSchema.extend({ onlyHere: z.array(z.string()).describe('Patterns no other of them has.') }),
  ),
  rows: z
    .array(
      z.object({
        patterns: z.array(z.string()).describe('Shared by its steps.'),
        steps: z
          .array(z.object({ step: z.number(), screenId: z.string() }).nullable())
          .describe('One per flow, in their order; null where it has no such step.'),
      }),
    )
    .describe('In order of the journeys.'),
  common: z.array(z.string()).describe('Patterns that all have.'),
  hint: z.string().optional(),
});

export const compareFlowsTool = defineTool({
  name: 'compare_flows',
  title: 'Compare flows',
  description:
    'Set 2–4 flows side by side: steps that do the same job (share UI patterns) in one row, in order, so that added, missing and moved steps show. Also the patterns all have and those only one has. See the difference with view_screens on the ids of a row.',
  input,
  output,
  async run({ flowIds }, { library }) {
    const comparison = await compareFlows(library, flowIds);
    return answerWithinSize(MAX_ROWS, async (limit) => {
      const rows = comparison.rows.slice(0, limit);
      const cut =
        rows.length < comparison.rows.length ||
        comparison.flows.some(({ screens }) => screens.length > MAX_COMPARED_STEPS);
      const hint = cut
        ? 'Only the beginning is compared, these flows are long; walk through the rest with get_flow.'
        : undefined;
      return {
        text: describe(comparison, rows, hint),
        structured: {
          flows: comparison.flows.map((flow, index) => ({
            ...showFlow(flow),
            onlyHere: (comparison.onlyIn[index] ?? []).slice(0, MAX_PATTERNS_NAMED),
          })),
          rows: rows.map(({ patterns, steps }) => ({
            patterns: patterns.slice(0, MAX_PATTERNS_NAMED),
            steps: steps.map((cell) =>
              cell === null ? null : { step: cell.step, screenId: cell.screen.id },
            ),
          })),
          common: comparison.common.slice(0, MAX_PATTERNS_NAMED),
          ...given({ hint }),
        },
      };
    });
  },
});

function describe(
  { flows, common, onlyIn }: FlowComparison,
  rows: FlowComparison['rows'],
  hint: string | undefined,
): string {
  const letter = (index: number) => String.fromCharCode('A'.charCodeAt(0) + index);
  const heads = flows.map((flow, index) => `${letter(index)} = ${flowLine(flow)}`);
  const table = rows.map(({ patterns, steps }, index) => {
    const cells = steps.map((cell, flow) =>
      cell === null ? `${letter(flow)} –` : `${letter(flow)}${cell.step} ${cell.screen.id}`,
    );
    return `${index + 1}. ${patterns.slice(0, MAX_PATTERNS_NAMED).join(', ') || 'mixed'}: ${cells.join(' | ')}`;
  });
  const listed = (patterns: readonly string[]) => patterns.slice(0, MAX_PATTERNS_NAMED).join(', ') || 'none';
  const alone = onlyIn.map((patterns, index) => `Only in ${letter(index)}: ${listed(patterns)}`);
  return [
    ...heads,
    ...table,
    `In all: ${listed(common)}`,
    ...alone,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}
