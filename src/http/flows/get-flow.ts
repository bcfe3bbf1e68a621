import { z } from 'zod';
import { getFlow } from '../../library/get-flow.ts';
import type { LibraryPorts } from '../../library/ports.ts';
import { createQueryReader } from '../query.ts';
import { idParameter, responses, type ApiRoute } from '../route.ts';
import { flowWithScreensSchema } from '../schemas.ts';

const readQuery = createQueryReader(z.object({}));

export function createGetFlow(library: Pick<LibraryPorts, 'catalogue' | 'images'>): ApiRoute {
  return {
    path: '/flows/{id}',
    operation: {
      operationId: 'getFlow',
      summary: 'Get a flow with its screens',
      tags: ['Flows'],
      requestParams: { path: idParameter },
      responses: responses('The flow with its screens in full, in order.', flowWithScreensSchema, [
        'not_found',
      ]),
    },
    async answer(ctx) {
      readQuery(ctx.querystring);
      ctx.body = await getFlow(library, ctx.params['id'] ?? '');
    },
  };
}
