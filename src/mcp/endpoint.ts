import { Readable } from 'node:stream';
import { koaBody } from 'koa-body';
import type { Logger } from 'pino';
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server';
import type { UserDirectory } from '../accounts/directory.ts';
import { PlanRequiredError } from '../domain/errors.ts';
import type { Plan } from '../domain/vocabulary.ts';
import type { LibraryPorts } from '../library/ports.ts';
import { bearerToken, scopeMissing, tokenMissing, tokenRefused } from '../middleware/bearer.ts';
import { HttpProblem } from '../middleware/problem.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import type { RequestContext, RequestMiddleware } from '../middleware/state.ts';
import { InvalidTokenError, type TokenVerifier } from '../oauth/verify-token.ts';
import type { ProtectedResource } from '../oauth/resources.ts';
import { createDispatch, MAX_BODY_BYTES } from './dispatch.ts';
import { requiredScopes } from './scopes.ts';
import { createServer, type Caller, type ServerContents } from './server.ts';

export interface McpEndpointOptions {
  library: LibraryPorts;
  verifier: TokenVerifier;
  directory: UserDirectory;
  resource: ProtectedResource;
  /** Plans that include MCP. */
  mcpPlans: readonly Plan[];
  /** Where a user sees and changes the plan. */
  accountUrl: string;
  docsUrl: string;
  rateLimit: RateLimit;
  log: Logger;
  /** What answers a request; the product's own server unless given. */
  serverFor?: (contents: ServerContents) => McpServer;
}

/**
 * The MCP endpoint (Streamable HTTP, stateless): bearer check, then method, rate, scope and plan, then the protocol.
 * Host, Origin and CORS are checked before it.
 */
export function createMcpEndpoint(options: McpEndpointOptions): RequestMiddleware {
  const { resource } = options;
  const readBody = koaBody({
    json: true,
    jsonLimit: MAX_BODY_BYTES,
    // JSON-RPC knows bodies that are no object; the protocol layer answers for them.
    jsonStrict: false,
    text: false,
    urlencoded: false,
    multipart: false,
  });

  const { library, docsUrl, accountUrl, mcpPlans, log, serverFor = createServer } = options;
  const dispatch = createDispatch(
    ({ authInfo }) =>
      serverFor({ library, caller: callerOf(authInfo), docsUrl, accountUrl, plansWithMcp: mcpPlans }),
    (error) => log.warn({ err: { name: error.name, message: error.message } }, 'mcp request refused'),
  );

  return async (ctx) => {
    const caller = await authenticate(ctx, options);
    if (ctx.method !== 'POST') {
      throw new HttpProblem('method_not_allowed', 'The MCP endpoint is stateless: it takes POST only.', {
        headers: { Allow: 'POST, OPTIONS' },
      });
    }
    await options.rateLimit(ctx, caller.user.id);
    if (!options.mcpPlans.includes(caller.user.plan)) {
      throw planRequired(caller, options);
    }
    if (!ctx.is('application/json')) {
      throw new HttpProblem(
        'unsupported_media_type',
        'Send a JSON-RPC message with content-type: application/json.',
      );
    }
    const body = await parseBody(ctx, readBody);
    if (body === undefined) return;
    const missing = requiredScopes(body).filter((scope) => !caller.scopes.has(scope));
    if (missing.length > 0) {
      throw scopeMissing({ metadataUrl: resource.metadataUrl, scope: missing.join(' ') });
    }

    const hungUp = new AbortController();
    ctx.res.once('close', () => hungUp.abort());
    const request = new Request(resource.id, {
      method: 'POST',
      headers: headersOf(ctx),
      signal: hungUp.signal,
    });
    await answer(ctx, await dispatch(request, { parsedBody: body, authInfo: authInfoOf(caller) }));
  };
}

async function authenticate(ctx: RequestContext, options: McpEndpointOptions): Promise<Caller> {
  const { resource, verifier, directory } = options;
  const challenge = { metadataUrl: resource.metadataUrl, scope: resource.scopes.join(' ') };
  const token = bearerToken(ctx.get('Authorization'));
  if (token === undefined) throw tokenMissing(challenge);
  try {
    const access = await verifier.verify(token);
    const user = await directory.user(access.userId);
    if (user === undefined) throw new InvalidTokenError('The account of this token does not exist any more.');
    return { user, scopes: access.scopes, clientId: access.clientId, expiresAt: access.expiresAt };
  } catch (error) {
    if (error instanceof InvalidTokenError) throw tokenRefused(challenge, error.message);
    throw error;
  }
}

function planRequired(caller: Caller, options: McpEndpointOptions): HttpProblem {
  const { message, plan, requiredPlans } = new PlanRequiredError('MCP', caller.user.plan, options.mcpPlans);
  return new HttpProblem('plan_required', message, {
    members: { plan, requiredPlans, upgradeUrl: options.accountUrl },
  });
}

/** The JSON value, or undefined when the request was already answered as JSON-RPC wants it for broken JSON. */
async function parseBody(ctx: RequestContext, read: ReturnType<typeof koaBody>): Promise<unknown> {
  try {
    await read(ctx, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error) || error.status !== 400) throw error;
    ctx.status = 400;
    ctx.body = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error: the body is not JSON.' },
    };
    return undefined;
  }
  return (ctx.request as { body?: unknown }).body ?? null;
}

function headersOf(ctx: RequestContext): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** The token itself stays out: nothing behind this point needs it. */
function authInfoOf(caller: Caller): AuthInfo {
  return {
    token: '',
    clientId: caller.clientId,
    scopes: [...caller.scopes],
    expiresAt: Math.floor(caller.expiresAt.getTime() / 1000),
    extra: { caller },
  };
}

function callerOf(authInfo: AuthInfo | undefined): Caller {
  return authInfo?.extra?.['caller'] as Caller;
}

async function answer(ctx: RequestContext, response: Response): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.set('Cache-Control', 'no-store');
  if (response.body === null) {
    ctx.body = null;
    ctx.status = response.status;
  } else if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    ctx.body = Readable.fromWeb(response.body);
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
}
