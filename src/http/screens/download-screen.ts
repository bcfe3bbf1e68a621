import type { Logger } from 'pino';
import { z } from 'zod';
import type { Plan } from '../../domain/vocabulary.ts';
import type { LibraryPorts } from '../../library/ports.ts';
import { signDownload } from '../../library/sign-download.ts';
import { createQueryReader } from '../query.ts';
import { idParameter, responses, type ApiRoute } from '../route.ts';
import { downloadSchema } from '../schemas.ts';

const readQuery = createQueryReader(z.object({}));

export function createDownloadScreen(
  library: Pick<LibraryPorts, 'catalogue' | 'images'>,
  options: {
    downloadPlans: readonly Plan[];
    /** Keeps who was given which original, and who was refused. */
    audit: Logger;
    now: () => Date;
  },
): ApiRoute {
  const { downloadPlans, audit, now } = options;
  return {
    path: '/screens/{id}/download',
    operation: {
      operationId: 'downloadScreen',
      summary: 'Get a short-lived address of the original image',
      description: `Included in these plans: ${downloadPlans.join(', ')}.`,
      tags: ['Screens'],
      requestParams: { path: idParameter },
      responses: responses('Where to download the original.', downloadSchema, ['plan_required', 'not_found']),
    },
    async answer(ctx) {
      readQuery(ctx.querystring);
      const screenId = ctx.params['id'] ?? '';
      const { userId, plan } = ctx.state.caller;
      const line = { requestId: ctx.state.requestId, userId, plan, screenId };
      try {
        const download = await signDownload(library, { screenId, plan, downloadPlans, now: now() });
        audit.info({ ...line, expiresAt: download.expiresAt }, 'download signed');
        ctx.set('Cache-Control', 'no-store');
        ctx.body = download;
      } catch (error) {
        audit.info({ ...line, reason: error instanceof Error ? error.name : 'unknown' }, 'download refused');
        throw error;
      }
    },
  };
}
