import { NotFoundError, PlanRequiredError } from '../domain/errors.ts';
import type { Plan } from '../domain/vocabulary.ts';
import type { LibraryPorts } from './ports.ts';

/** Long enough to start a download, short enough that a leaked address is soon worthless. */
export const DOWNLOAD_URL_SECONDS = 300;

export interface SignedDownload {
  /** Serves the original file until `expiresAt`. */
  url: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** Seconds. */
  expiresIn: number;
  filename: string;
  contentType: string;
  /** Size of the original file. */
  bytes: number;
}

/**
 * A short-lived address of a screen's original image.
 * Throws PlanRequiredError where the plan does not include downloads, whether the screen exists or not, and
 * NotFoundError for an unknown id.
 */
export async function signDownload(
  { catalogue, images }: Pick<LibraryPorts, 'catalogue' | 'images'>,
  request: { screenId: string; plan: Plan; downloadPlans: readonly Plan[]; now: Date },
): Promise<SignedDownload> {
  if (!request.downloadPlans.includes(request.plan)) {
    throw new PlanRequiredError('Downloading an original', request.plan, request.downloadPlans);
  }
  const record = await catalogue.screen(request.screenId);
  if (record === undefined) throw new NotFoundError('screen', request.screenId);
  const expiresAt = new Date(request.now.getTime() + DOWNLOAD_URL_SECONDS * 1000);
  const contentType = `image/${record.format}`;
  const filename = `${record.id.replace(/[^A-Za-z0-9._-]/g, '_')}.${record.format === 'jpeg' ? 'jpg' : record.format}`;
  const url = await images.signedUrl(record.originalKey, { expiresAt, filename, contentType });
  return {
    url,
    expiresAt: expiresAt.toISOString(),
    expiresIn: DOWNLOAD_URL_SECONDS,
    filename,
    contentType,
    bytes: record.bytes,
  };
}
