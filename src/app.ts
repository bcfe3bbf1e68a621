import { Router } from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { UserDirectory } from './accounts/directory.ts';
import type { Config } from './config.ts';
import { API_CORS, API_PATH, createApi } from './http/api.ts';
import { createDocs } from './http/docs.ts';
import { createFiles, FILES_CORS, FILES_PATH, type FileSource } from './http/files.ts';
import { createHealth } from './http/health.ts';
import { createStartPage } from './http/start-page.ts';
import { createWellKnown, WELL_KNOWN_CORS } from './http/well-known.ts';
import type { LibraryPorts } from './library/ports.ts';
import { accessLog } from './middleware/access-log.ts';
import { createCors, type CorsPolicy } from './middleware/cors.ts';
import { createErrorHandler } from './middleware/error-handler.ts';
import { otherMethods } from './middleware/methods.ts';
import { createHostCheck, createOriginCheck, isLoopbackOrigin, ownOrigins } from './middleware/origins.ts';
import type { RateLimit } from './middleware/rate-limit.ts';
import { createRequestId } from './middleware/request-id.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import type { RequestMiddleware, RequestState } from './middleware/state.ts';
import { under } from './middleware/under.ts';
import type { KeySet } from './oauth/key-set.ts';
import type { AuthorizationServer } from './oauth/provider.ts';
import type { ProtectedResources } from './oauth/resources.ts';
import type { TokenVerifier } from './oauth/verify-token.ts';

/** Clients that run in a page send them to every endpoint alike, those of OAuth too. */
const MCP_REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'MCP-Method',
  'MCP-Name',
  'MCP-Protocol-Version',
  'MCP-Session-ID',
];

/** A client that runs in a page of any origin gets its tokens by these. */
const OAUTH_CORS: CorsPolicy = {
  origins: 'any',
  methods: ['POST'],
  requestHeaders: MCP_REQUEST_HEADERS,
  exposedHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
};

/** What the application is made of. */
export interface Services {
  config: Pick<Config, 'baseUrl' | 'mcpUrl' | 'allowedOrigins' | 'downloadPlans' | 'trustProxy'>;
  library: LibraryPorts;
  /** Images that this server hands out itself; absent where another host does. */
  files?: FileSource;
  users: UserDirectory;
  keySet: Pick<KeySet, 'publicKeys'>;
  resources: ProtectedResources;
  /** Of tokens for the REST API. */
  apiTokens: TokenVerifier;
  /** Shared with the MCP endpoint: a user has one allowance. */
  rateLimit: RateLimit;
  authorizationServer: AuthorizationServer;
  /** Sign-in, consent, account. */
  pages: RequestMiddleware;
  /** The MCP endpoint; it authenticates by itself. */
  mcp: RequestMiddleware;
  log: Logger;
  audit: Logger;
  /** The clock. */
  now: () => Date;
}

/** One Koa application with every door of the service. What needs a body reads it itself. */
export function createApp(services: Services): Koa<RequestState> {
  const { config, log, resources, now } = services;
  // Only the last address is the proxy's own word; what stands before it came with the request.
  const app = new Koa<RequestState>({ proxy: config.trustProxy, maxIpsCount: 1 });
  app.on('error', (error) => log.warn({ err: error }, 'answer not delivered'));

  app.use(createRequestId(log, config));
  app.use(accessLog);
  app.use(securityHeaders);
  app.use(createErrorHandler({ docsUrl: `${config.baseUrl}/docs` }));

  app.use(under(API_PATH, createCors(API_CORS)));
  app.use(under('/.well-known', createCors(WELL_KNOWN_CORS)));
  app.use(under(FILES_PATH, createCors(FILES_CORS)));
  app.use(createStartPage(services));
  app.use(createHealth(services.library));
  app.use(createDocs(config));
  app.use(
    createApi({
      ...services,
      resource: resources.api,
      verifier: services.apiTokens,
      downloadPlans: config.downloadPlans,
    }),
  );
  app.use(createWellKnown({ ...services, baseUrl: config.baseUrl }));
  if (services.files !== undefined) app.use(createFiles(services.files, now));

  // Browser clients speak to these; a page of another origin never has a reason to call /oauth/authorize itself.
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
    app.use(under(path, createCors(OAUTH_CORS)));
  }
  app.use(services.authorizationServer.handler);
  app.use(services.pages);
  app.use(createMcpDoor(services));

  app.use(otherMethods);
  return app;
}

/** The MCP endpoint behind what is checked before it: its own host, origins that may call it, preflights. */
function createMcpDoor({ config, mcp }: Pick<Services, 'config' | 'mcp'>): RequestMiddleware {
  const own = ownOrigins([config.mcpUrl, config.baseUrl]);
  const admits = (origin: string) =>
    own.has(origin) || isLoopbackOrigin(origin) || config.allowedOrigins.includes(origin);
  const cors = createCors({
    origins: admits,
    methods: ['POST', 'GET', 'DELETE'],
    requestHeaders: [...MCP_REQUEST_HEADERS, 'Last-Event-ID'],
    exposedHeaders: [
      'MCP-Session-ID',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
  });
  const guards = [createHostCheck([config.mcpUrl]), cors, createOriginCheck(admits, config.mcpUrl)];

  const router = new Router<RequestState>({ sensitive: true });
  router.options('/mcp', ...guards, (ctx) => {
    ctx.set('Allow', 'OPTIONS, POST');
    ctx.status = 204;
  });
  router.all('/mcp', ...guards, mcp);
  return router.routes() as RequestMiddleware;
}
