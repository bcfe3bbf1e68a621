import { InvalidArgumentError } from '../domain/errors.ts';
import type { Flow, Screen } from '../domain/screen.ts';
import { alignFlows } from './align-flows.ts';
import { getFlow } from './get-flow.ts';
import type { LibraryPorts } from './ports.ts';

export const MIN_COMPARED_FLOWS = 2;
export const MAX_COMPARED_FLOWS = 4;
/** Alignment takes time by the square of the steps; a longer journey is compared by its beginning. */
export const MAX_COMPARED_STEPS = 60;

/** Steps that do the same job, one of each flow at most. */
export interface ComparedRow {
  /** Patterns that its steps share; all of the step's where it stands alone. */
  patterns: string[];
  /** By flow, in the order asked for; null where the flow has no such step. Steps count from 1. */
  steps: ({ step: number; screen: Screen } | null)[];
}

export interface FlowComparison {
  flows: (Flow & { screens: Screen[] })[];
  rows: ComparedRow[];
  /** Patterns that every flow has somewhere. */
  common: string[];
  /** By flow: patterns that no other of them has. */
  onlyIn: string[][];
}

/**
 * Flows side by side, their steps aligned by pattern, up to MAX_COMPARED_STEPS of each.
 * @param ids 2 to 4, each once
 * Throws InvalidArgumentError for another number, NotFoundError for an unknown flow.
 */
export async function compareFlows(
  ports: Pick<LibraryPorts, 'catalogue' | 'images'>,
  ids: readonly string[],
): Promise<FlowComparison> {
  const distinct = [...new Set(ids)];
  if (distinct.length < MIN_COMPARED_FLOWS || distinct.length > MAX_COMPARED_FLOWS) {
    const detail = `Give ${MIN_COMPARED_FLOWS} to ${MAX_COMPARED_FLOWS} different flows to compare; these are ${distinct.length}.`;
    throw new InvalidArgumentError([{ parameter: 'flowIds', detail }]);
  }
  const flows = await Promise.all(distinct.map((id) => getFlow(ports, id)));
  const aligned = alignFlows(
    flows.map(({ screens }) =>
      screens.slice(0, MAX_COMPARED_STEPS).map((screen) => ({ patterns: screen.pattern })),
    ),
  );
  const rows = aligned.map((row) => {
    const steps = row.map((index, flow) => {
      const screen = index === null ? undefined : flows[flow]?.screens[index];
      return index === null || screen === undefined ? null : { step: index + 1, screen };
    });
    return { patterns: shared(steps.flatMap((step) => (step === null ? [] : [step.screen.pattern]))), steps };
  });
  const used = flows.map(({ screens }) => new Set(screens.flatMap((screen) => screen.pattern)));
  return {
    flows,
    rows,
    common: shared(used.map((patterns) => [...patterns])),
    onlyIn: used.map((patterns, flow) =>
      [...patterns].filter((pattern) => used.every((other, index) => index === flow || !other.has(pattern))),
    ),
  };
}

/** What all lists have, in the order of the first. A row of three may hold together pair by pair only: then nothing. */
function shared(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  return first.filter((pattern) => others.every((other) => other.includes(pattern)));
}
