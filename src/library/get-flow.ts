import { NotFoundError } from '../domain/errors.ts';
import type { Flow, Screen } from '../domain/screen.ts';
import type { LibraryPorts } from './ports.ts';
import { presentScreen } from './present.ts';

/** One flow with its screens in full, in the flow's order. Throws NotFoundError for an unknown id. */
export async function getFlow(
  { catalogue, images }: Pick<LibraryPorts, 'catalogue' | 'images'>,
  id: string,
): Promise<Flow & { screens: Screen[] }> {
  const flow = await catalogue.flow(id);
  if (flow === undefined) throw new NotFoundError('flow', id);
  const records = await catalogue.screens(flow.screenIds);
  return { ...flow, screens: records.map((record) => presentScreen(record, images)) };
}
