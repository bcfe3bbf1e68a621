import { NotFoundError } from '../domain/errors.ts';
import type { Screen } from '../domain/screen.ts';
import type { LibraryPorts } from './ports.ts';
import { presentScreen } from './present.ts';

/** One screen. Throws NotFoundError for an unknown id. */
export async function getScreen(
  { catalogue, images }: Pick<LibraryPorts, 'catalogue' | 'images'>,
  id: string,
): Promise<Screen> {
  const record = await catalogue.screen(id);
  if (record === undefined) throw new NotFoundError('screen', id);
  return presentScreen(record, images);
}
