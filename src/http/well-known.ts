import { Router } from '@koa/router';
import { conditionalGet } from '../middleware/conditional-get.ts';
import type { CorsPolicy } from '../middleware/cors.ts';
import type { RequestMiddleware, RequestState } from '../middleware/state.ts';
import type { KeySet } from '../oauth/key-set.ts';
import type { ProtectedResource, ProtectedResources } from '../oauth/resources.ts';

/** Metadata is for everyone. Browser clients of MCP send its protocol version along, which makes a preflight. */
export const WELL_KNOWN_CORS: CorsPolicy = {
  origins: 'any',
  methods: ['GET', 'HEAD'],
  requestHeaders: ['Authorization', 'Content-Type', 'MCP-Protocol-Version'],
  exposedHeaders: ['ETag', 'X-Request-Id'],
};

/** Protected Resource Metadata (RFC 9728 §2). The one scope of the REST API is internal, so it is not listed. */
export function resourceMetadata(resource: ProtectedResource, baseUrl: string): Record<string, unknown> {
  return {
    resource: resource.id,
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    resource_signing_alg_values_supported: [resource.signingAlgorithm],
    resource_documentation: `${baseUrl}/docs`,
    ...(resource.name === 'mcp' ? { scopes_supported: resource.scopes } : {}),
  };
}

/**
 * The metadata of both resources and the public keys. Addresses in them come from configuration. The MCP endpoint's
 * is at the host's root too, where clients look that do not know the path form.
 */
export function createWellKnown({
  resources,
  keySet,
  baseUrl,
}: {
  resources: ProtectedResources;
  keySet: Pick<KeySet, 'publicKeys'>;
  baseUrl: string;
}): RequestMiddleware {
  const router = new Router<RequestState>({ sensitive: true });
  const { api, mcp } = resources;
  const documents = [
    [new URL(api.metadataUrl).pathname, resourceMetadata(api, baseUrl)],
    [new URL(mcp.metadataUrl).pathname, resourceMetadata(mcp, baseUrl)],
    ['/.well-known/oauth-protected-resource', resourceMetadata(mcp, baseUrl)],
  ] as const;
  for (const [path, document] of documents) {
    router.get(path, conditionalGet, (ctx) => {
      ctx.set('Cache-Control', 'no-cache');
      ctx.body = document;
    });
  }
  router.get('/.well-known/jwks.json', conditionalGet, async (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = { keys: await keySet.publicKeys() };
  });
  return router.routes() as RequestMiddleware;
}
