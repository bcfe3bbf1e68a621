import { z } from 'zod';
import { getScreen } from '../../library/get-screen.ts';
import { idArgument } from '../arguments.ts';
import { fullScreenSchema, screenLine } from '../screen-text.ts';
import { defineTool } from '../tool.ts';

const input = z.object({ id: idArgument.describe('Id of the screen, from a search.') });
const output = fullScreenSchema.extend({
  flows: z
    .array(z.object({ id: z.string(), name: z.string(), step: z.number(), steps: z.number() }))
    .describe('Flows that the screen is part of; step counts from 1.'),
});

export const getScreenTool = defineTool({
  name: 'get_screen',
  title: 'Get one screen',
  description:
    'Everything known of one screen by id: patterns, app, platform, size, dominant colours, the text on it, addresses of its image, and the flows it is a step of. It shows no picture: use view_screens to look at it.',
  input,
  output,
  async run({ id }, { library }) {
    const screen = await getScreen(library, id);
    const flows = (await library.catalogue.flowsOf(id)).map(({ flow, step }) => ({
      id: flow.id,
      name: flow.name,
      step: step + 1,
      steps: flow.screenIds.length,
    }));
    const lines = [
      screenLine(screen),
      `${screen.width}×${screen.height}, captured ${screen.capturedAt.slice(0, 10)}, colours ${screen.dominantColors.join(' ')}`,
      ...flows.map((flow) => `Step ${flow.step} of ${flow.steps} in flow ${flow.id} (${flow.name})`),
      `Image: ${screen.imageUrl}`,
      ...(screen.captionText === undefined ? [] : [`Text on it:\n${screen.captionText}`]),
    ];
    return { text: lines.join('\n'), structured: { ...screen, flows } };
  },
});
