import { z } from 'zod';
import type { FlowRecord } from '../domain/screen.ts';

const MAX_DESCRIPTION_CHARACTERS = 300;

/** What tells one flow from another. */
export const flowSchema = z.object({
  id: z.string(),
  appId: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string().optional(),
  steps: z.number().describe('How many.'),
  capturedAt: z.string(),
});

export function showFlow(flow: FlowRecord): z.output<typeof flowSchema> {
  const { id, appId, type, name, capturedAt } = flow;
  const description = describeFlow(flow);
  return {
    id,
    appId,
    type,
    name,
    ...(description === undefined ? {} : { description }),
    steps: flow.screenIds.length,
    capturedAt,
  };
}

/** One line: what it is, enough to choose by. */
export function flowLine(flow: FlowRecord): string {
  const steps = flow.screenIds.length;
  return `${flow.id} · ${flow.appId} · ${flow.type} · ${flow.name} · ${steps} step${steps === 1 ? '' : 's'}`;
}

/** Undefined when there is none. */
export function describeFlow({ description }: FlowRecord): string | undefined {
  const text = description?.replace(/\s+/g, ' ').trim();
  if (text === undefined || text === '') return undefined;
  return text.length <= MAX_DESCRIPTION_CHARACTERS ? text : `${text.slice(0, MAX_DESCRIPTION_CHARACTERS)}…`;
}
