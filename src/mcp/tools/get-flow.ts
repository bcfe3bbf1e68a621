import { z } from 'zod';
import { InvalidArgumentError } from '../../domain/errors.ts';
import { getFlow } from '../../library/get-flow.ts';
import { answerWithinSize } from '../answer-size.ts';
import { idArgument } from '../arguments.ts';
import { describeFlow, flowLine, flowSchema, showFlow } from '../flow-text.ts';
import {
  detailArgument,
  excerptOf,
  factLines,
  screenLine,
  screenSchema,
  showScreen,
} from '../screen-text.ts';
import { defineTool } from '../tool.ts';

const MAX_STEPS = 50;

const input = z.object({
  id: idArgument.describe('Id of the flow, from search_flows.'),
  fromStep: z.number().int().min(1).default(1).describe('nextStep of the previous answer, for long flows.'),
  detail: detailArgument,
});

const output = flowSchema.extend({
  screens: z.array(screenSchema.extend({ step: z.number() })).describe('In order; step counts from 1.'),
  nextStep: z.number().nullable().describe('Where to go on; null at the end.'),
});

export const getFlowTool = defineTool({
  name: 'get_flow',
  title: 'Walk through one flow',
  description:
    'One flow by id, step by step in order: each screen with its patterns and the text on it. It shows no pictures: see the steps with view_screens (flowId). At most 50 steps an answer; go on with fromStep.',
  input,
  output,
  async run({ id, fromStep, detail }, { library }) {
    const flow = await getFlow(library, id);
    if (fromStep > flow.screens.length && fromStep > 1) {
      const text = `The flow "${flow.id}" has the steps 1 to ${flow.screens.length}; there is no step ${fromStep}.`;
      throw new InvalidArgumentError([{ parameter: 'fromStep', detail: text }]);
    }
    return answerWithinSize(MAX_STEPS, async (steps) => {
      const shown = flow.screens
        .map((screen, index) => ({ screen, step: index + 1 }))
        .slice(fromStep - 1, fromStep - 1 + steps);
      const next = fromStep + shown.length;
      const nextStep = next <= flow.screens.length ? next : null;
      const about = describeFlow(flow);
      const lines = shown.flatMap(({ screen, step }) => {
        const facts = detail === 'full' ? factLines(screen) : [excerptOf(screen) ?? ''];
        return [`${step}. ${screenLine(screen)}`, ...facts.filter(Boolean).map((fact) => `   ${fact}`)];
      });
      const more = nextStep === null ? [] : [`More steps with fromStep ${nextStep}`];
      return {
        text: [flowLine(flow), ...(about === undefined ? [] : [about]), ...lines, ...more].join('\n'),
        structured: {
          ...showFlow(flow),
          screens: shown.map(({ screen, step }) => ({ ...showScreen(screen, detail), step })),
          nextStep,
        },
      };
    });
  },
});
