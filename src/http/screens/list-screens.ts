import { z } from 'zod';
import { listScreens } from '../../library/list-screens.ts';
import type { LibraryPorts } from '../../library/ports.ts';
import * as parameters from '../parameters.ts';
import { createQueryReader } from '../query.ts';
import { presentPage, responses, type ApiRoute } from '../route.ts';
import { pageSchema, screenSchema } from '../schemas.ts';

const PATH = '/screens';
const { appId, pattern, platform, colors, colorTolerance, q, sort, limit, cursor } = parameters;
const querySchema = z.object({ appId, pattern, platform, colors, colorTolerance, q, sort, limit, cursor });
const readQuery = createQueryReader(querySchema);

/** @param apiUrl configured address of the API, without trailing slash */
export function createListScreens(
  library: Pick<LibraryPorts, 'search' | 'catalogue' | 'images'>,
  apiUrl: string,
): ApiRoute {
  return {
    path: PATH,
    operation: {
      operationId: 'listScreens',
      summary: 'Search screens',
      description: 'Screens that match every filter given, page by page.',
      tags: ['Screens'],
      requestParams: { query: querySchema },
      responses: responses('A page of screens.', pageSchema('ScreenPage', screenSchema), [
        'engine_unavailable',
      ]),
    },
    async answer(ctx) {
      const query = readQuery(ctx.querystring);
      presentPage(ctx, await listScreens(library, { ...query, filter: query }), apiUrl + PATH);
    },
  };
}
