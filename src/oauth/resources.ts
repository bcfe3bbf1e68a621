import type { SigningAlgorithm } from '../ports/accounts.ts';

/** Something that access tokens are issued for (RFC 8707), with its metadata (RFC 9728). */
export interface ProtectedResource {
  name: 'api' | 'mcp';
  /** Canonical resource identifier: the `resource` parameter's and the `aud` claim's value. */
  id: string;
  /** Other spellings of it that clients send. */
  aliases: readonly string[];
  /** Where its Protected Resource Metadata is served. */
  metadataUrl: string;
  signingAlgorithm: SigningAlgorithm;
  /** Scopes that a token for it can carry. */
  scopes: readonly string[];
  accessTokenSeconds: number;
}

export const MCP_SCOPES = ['mcp:read', 'mcp:tools'] as const;
/** Granular REST scopes do not exist yet; this one is internal and listed nowhere. */
export const API_SCOPE = 'api';

const MCP_TOKEN_SECONDS = 15 * 60;
const API_TOKEN_SECONDS = 24 * 60 * 60;

export interface ProtectedResources {
  api: ProtectedResource;
  mcp: ProtectedResource;
}

/** @param origins without trailing slash, as configured */
export function protectedResources(origins: { baseUrl: string; mcpUrl: string }): ProtectedResources {
  const { baseUrl, mcpUrl } = origins;
  return {
    api: {
      name: 'api',
      id: `${baseUrl}/api/v1`,
      aliases: [baseUrl],
      metadataUrl: `${baseUrl}/.well-known/oauth-protected-resource/api/v1`,
      signingAlgorithm: 'HS256',
      scopes: [API_SCOPE],
      accessTokenSeconds: API_TOKEN_SECONDS,
    },
    mcp: {
      name: 'mcp',
      id: `${mcpUrl}/mcp`,
      aliases: [],
      metadataUrl: `${mcpUrl}/.well-known/oauth-protected-resource/mcp`,
      signingAlgorithm: 'RS256',
      scopes: MCP_SCOPES,
      accessTokenSeconds: MCP_TOKEN_SECONDS,
    },
  };
}

/**
 * The resource that a `resource` parameter means: compared after dropping one trailing slash and letter case of scheme and
 * host (RFC 3986 §6.2.2.1). Undefined when there is no such resource.
 */
export function canonicalResource(
  value: string,
  resources: ProtectedResources,
): ProtectedResource | undefined {
  const spelling = normalise(value);
  if (spelling === undefined) return undefined;
  return [resources.mcp, resources.api].find((resource) =>
    [resource.id, ...resource.aliases].some((known) => normalise(known) === spelling),
  );
}

function normalise(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || value.includes('#') || url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/\/$/, '');
}
