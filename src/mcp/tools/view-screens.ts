import { z } from 'zod';
import { InvalidArgumentError } from '../../domain/errors.ts';
import {
  MAX_VIEWED_SCREENS,
  viewScreens,
  type ScreensView,
  type ViewQuestion,
} from '../../library/view-screens.ts';
import { idArgument } from '../arguments.ts';
import { screenLine } from '../screen-text.ts';
import { defineTool } from '../tool.ts';

const input = z.object({
  ids: z.array(idArgument).min(1).max(MAX_VIEWED_SCREENS).optional().describe('Ids of 1 to 8 screens.'),
  flowId: idArgument.optional().describe('A flow to walk through, instead of ids.'),
  steps: z
    .array(z.number().int().min(1))
    .min(1)
    .max(MAX_VIEWED_SCREENS)
    .optional()
    .describe('Which steps of the flow, from 1; the first 8 if absent.'),
  layout: z
    .enum(['sheet', 'separate'])
    .default('sheet')
    .describe('One numbered picture of all, or one picture each.'),
  size: z.enum(['small', 'medium', 'large']).default('medium'),
});

export const viewScreensTool = defineTool({
  name: 'view_screens',
  title: 'Look at screens',
  description:
    'See screens as pictures: up to 8 by id, or the steps of a flow in order. A numbered contact sheet by default; number on the picture = number in the text. For fine detail ask for one screen with layout separate, size large.',
  input,
  output: undefined,
  async run(args, { library, waiting }) {
    const { layout, size } = args;
    const view = await viewScreens(library, { of: subjectOf(args), as: layout, size }, waiting);
    return {
      content: [
        { type: 'text', text: describe(view, args) },
        ...view.pictures.map((picture) => ({
          type: 'image' as const,
          data: Buffer.from(picture).toString('base64'),
          mimeType: 'image/webp',
        })),
      ],
    };
  },
});

function subjectOf({ ids, flowId, steps }: z.output<typeof input>): ViewQuestion['of'] {
  if (ids !== undefined && flowId === undefined && steps === undefined) return { ids };
  if (flowId !== undefined && ids === undefined) return { flowId, ...(steps === undefined ? {} : { steps }) };
  throw new InvalidArgumentError([
    { parameter: 'ids', detail: 'Give either ids, or flowId with or without steps.' },
  ]);
}

function describe(view: ScreensView, args: z.output<typeof input>): string {
  const lines = view.screens.map((screen, index) => `${index + 1}. ${screenLine(screen)}`);
  if (view.size !== args.size)
    lines.push(`Shown ${view.size} instead of ${args.size}, to keep the answer small enough.`);
  if (view.unknownIds.length > 0) lines.push(`No screen has the id ${view.unknownIds.join(', ')}.`);
  if (view.furtherSteps.length > 0) {
    lines.push(`Not shown yet: steps ${view.furtherSteps.join(', ')}; call again with them as steps.`);
  }
  return lines.join('\n');
}
