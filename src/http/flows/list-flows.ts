import { z } from 'zod';
import { listFlows } from '../../library/list-flows.ts';
import type { LibraryPorts } from '../../library/ports.ts';
import * as parameters from '../parameters.ts';
import { createQueryReader } from '../query.ts';
import { presentPage, responses, type ApiRoute } from '../route.ts';
import { flowSchema, pageSchema } from '../schemas.ts';

const PATH = '/flows';
const { appId, type, platform, limit, cursor } = parameters;
const querySchema = z.object({ appId, type, platform, limit, cursor });
const readQuery = createQueryReader(querySchema);

/** @param apiUrl configured address of the API, without trailing slash */
export function createListFlows(library: Pick<LibraryPorts, 'catalogue'>, apiUrl: string): ApiRoute {
  return {
    path: PATH,
    operation: {
      operationId: 'listFlows',
      summary: 'List flows',
      description:
        'Flows that match every filter given, newest first, page by page. `platform` matches a flow when any of its screens is on it.',
      tags: ['Flows'],
      requestParams: { query: querySchema },
      responses: responses('A page of flows.', pageSchema('FlowPage', flowSchema)),
    },
    async answer(ctx) {
      const query = readQuery(ctx.querystring);
      presentPage(ctx, await listFlows(library, { ...query, filter: query }), apiUrl + PATH);
    },
  };
}
