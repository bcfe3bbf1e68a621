import { z } from 'zod';
import { getScreen } from '../../library/get-screen.ts';
import { idArgument } from '../arguments.ts';
import { factLines, screenLine, screenSchema, showScreen } from '../screen-text.ts';
import { defineTool } from '../tool.ts';

/** A screen may be a step of any number of flows. */
const MAX_FLOWS_LISTED = 50;

const input = z.object({ id: idArgument.describe('Id of the screen, from a search.') });
const output = screenSchema.extend({
  flows: z
    .array(z.object({ id: z.string(), name: z.string(), step: z.number(), steps: z.number() }))
    .describe('Flows that it is a step of; step counts from 1.'),
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
    const flowsOf = (await library.catalogue.flowsOf(id)).slice(0, MAX_FLOWS_LISTED);
    const flows = flowsOf.map(({ flow, step }) => ({
      id: flow.id,
      name: flow.name,
      step: step + 1,
      steps: flow.screenIds.length,
    }));
    const lines = [
      screenLine(screen),
      ...flows.map((flow) => `Step ${flow.step} of ${flow.steps} in flow ${flow.id} (${flow.name})`),
      ...factLines(screen),
    ];
    return { text: lines.join('\n'), structured: { ...showScreen(screen, 'full'), flows } };
  },
});
