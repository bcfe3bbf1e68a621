import { z } from 'zod';
import { getScreen } from '../../library/get-screen.ts';
import type { LibraryPorts } from '../../library/ports.ts';
import { createQueryReader } from '../query.ts';
import { idParameter, responses, type ApiRoute } from '../route.ts';
import { screenSchema } from '../schemas.ts';

const readQuery = createQueryReader(z.object({}));

export function createGetScreen(library: Pick<LibraryPorts, 'catalogue' | 'images'>): ApiRoute {
  return {
    path: '/screens/{id}',
    operation: {
      operationId: 'getScreen',
      summary: 'Get a screen',
      tags: ['Screens'],
      requestParams: { path: idParameter },
      responses: responses('The screen.', screenSchema, ['not_found']),
    },
    async answer(ctx) {
      readQuery(ctx.querystring);
      ctx.body = await getScreen(library, ctx.params['id'] ?? '');
    },
  };
}
