import { Router } from '@koa/router';
import type { Logger } from 'pino';
import type { UserDirectory } from '../accounts/directory.ts';
import type { Plan } from '../domain/vocabulary.ts';
import type { LibraryPorts } from '../library/ports.ts';
import { conditionalGet } from '../middleware/conditional-get.ts';
import type { CorsPolicy } from '../middleware/cors.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import type { RequestMiddleware } from '../middleware/state.ts';
import type { ProtectedResource } from '../oauth/resources.ts';
import type { TokenVerifier } from '../oauth/verify-token.ts';
import { createAuthenticate } from './authenticate.ts';
import { createGetFlow } from './flows/get-flow.ts';
import { createListFlows } from './flows/list-flows.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { ApiRoute, ApiState } from './route.ts';
import { createDownloadScreen } from './screens/download-screen.ts';
import { createGetScreen } from './screens/get-screen.ts';
import { createListScreens } from './screens/list-screens.ts';

export const API_PATH = '/api/v1';

/** Any page may call the API: what it can do there is decided by the token that it was given. */
export const API_CORS: CorsPolicy = {
  origins: 'any',
  methods: ['GET', 'HEAD'],
  requestHeaders: ['Authorization', 'Content-Type', 'If-None-Match'],
  exposedHeaders: [
    'ETag',
    'Link',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
};

export interface ApiServices {
  library: Pick<LibraryPorts, 'search' | 'catalogue' | 'images'>;
  resource: ProtectedResource;
  verifier: TokenVerifier;
  users: UserDirectory;
  rateLimit: RateLimit;
  downloadPlans: readonly Plan[];
  audit: Logger;
  now: () => Date;
}

/** The REST API: every route authenticates, validates, asks the library and presents; its description is public. */
export function createApi(services: ApiServices): RequestMiddleware {
  const { library, resource, rateLimit } = services;
  const routes: ApiRoute[] = [
    createListScreens(library, resource.id),
    createGetScreen(library),
    createDownloadScreen(library, services),
    createListFlows(library, resource.id),
    createGetFlow(library),
  ];

  const router = new Router<ApiState>({ prefix: API_PATH, sensitive: true });
  const authenticate = createAuthenticate(services);
  for (const route of routes) {
    router.get(
      route.path.replace('{id}', ':id'),
      async (ctx, next) => {
        ctx.vary('Authorization');
        await authenticate(ctx, next);
      },
      async (ctx, next) => {
        await rateLimit(ctx, ctx.state.caller.userId);
        await next();
      },
      conditionalGet,
      async (ctx) => {
        ctx.set('Cache-Control', 'private, no-cache');
        await route.answer(ctx);
      },
    );
  }
  const document = createOpenApiDocument(resource.id, routes);
  router.get('/openapi.json', conditionalGet, (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = document;
  });
  return router.routes() as RequestMiddleware;
}
