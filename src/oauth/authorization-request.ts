import { SUPPORTED_SCOPES } from './client-metadata.ts';
import type { Client } from './clients.ts';
import { OAuthError } from './oauth-error.ts';
import { redirectMatches } from './redirect-uris.ts';
import {
  canonicalResource,
  MCP_SCOPES,
  type ProtectedResource,
  type ProtectedResources,
} from './resources.ts';

/** Every parameter that means something here, checked, in canonical spelling. */
export interface AuthorizationRequest {
  response_type: 'code';
  client_id: string;
  redirect_uri: string;
  state: string;
  code_challenge: string;
  code_challenge_method: 'S256';
  resource: string;
  scope: string;
  prompt?: string;
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

const MAX_STATE_CHARACTERS = 4000;
/** RFC 7636 §4.2: SHA-256 as base64url without padding. */
const S256_CHALLENGE = /^[\w-]{43}$/;
/** OpenID Connect Core §3.1.2.1; choosing an account is signing in anew. */
const PROMPTS: ReadonlyMap<string, string> = new Map([
  ['login', 'login'],
  ['select_account', 'login'],
  ['consent', 'consent'],
]);

/**
 * The client's id and redirect URI: until these are right nobody may be redirected (RFC 6749 §4.1.2.1).
 * Throws OAuthError.
 */
export function requireOnce(query: Query, name: 'client_id' | 'redirect_uri'): string {
  const value = query[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new OAuthError(
    'invalid_request',
    value === undefined || value === ''
      ? `The parameter ${name} is missing.`
      : `The parameter ${name} is there more than once.`,
  );
}

/** Throws OAuthError when the client may not be answered at this address. */
export function requireRedirect(client: Client, requested: string): void {
  const registered = client.metadata.redirect_uris;
  if (registered.some((uri) => redirectMatches(uri, requested))) return;
  const withdrawn = client.refused.get(requested);
  throw new OAuthError(
    'invalid_redirect_uri',
    withdrawn ??
      `redirect_uri ${requested.slice(0, 200)} is none of the client's: ${registered.join(', ')}. ` +
        'It must be the same string; only the port of a loopback address is free.',
  );
}

/** Checks the rest of the request. Throws OAuthError, which is for the client at its redirect URI. */
export function checkAuthorizationRequest(
  query: Query,
  client: Client,
  resources: ProtectedResources,
): AuthorizationRequest {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || value === undefined) continue;
    throw name === 'resource'
      ? new OAuthError('invalid_target', 'The parameter resource must be there exactly once.')
      : new OAuthError('invalid_request', `The parameter ${name} is there more than once.`);
  }
  const given = query as Readonly<Record<string, string | undefined>>;
  refuseUnsupported(given);
  if (given['response_type'] !== 'code') {
    throw given['response_type']
      ? new OAuthError('unsupported_response_type', 'The response_type must be code.')
      : missing('response_type', 'code');
  }
  const state = required(given, 'state', 'a random value that comes back unchanged');
  if (state.length > MAX_STATE_CHARACTERS) {
    throw new OAuthError('invalid_request', `The state is longer than ${MAX_STATE_CHARACTERS} characters.`);
  }
  checkChallenge(given);
  const resource = requireResource(given['resource'], resources);
  const prompt = promptOf(given['prompt']);
  return {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: given['redirect_uri'] ?? '',
    state,
    code_challenge: given['code_challenge'] ?? '',
    code_challenge_method: 'S256',
    resource: resource.id,
    scope: scopeOf(given['scope'], client, resource),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** RFC 9101 §6.1: ignoring a request object would drop what its sender took for granted. */
function refuseUnsupported(given: Readonly<Record<string, string | undefined>>): void {
  if (given['request'] !== undefined) {
    throw new OAuthError(
      'request_not_supported',
      'Request objects are not supported; send plain parameters.',
    );
  }
  if (given['request_uri'] !== undefined) {
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported; send plain parameters.');
  }
  if ((given['response_mode'] ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'The response_mode must be query, or left out.');
  }
}

function checkChallenge(given: Readonly<Record<string, string | undefined>>): void {
  const challenge = required(given, 'code_challenge', 'a PKCE S256 challenge');
  // RFC 7636 §4.3: absent would mean "plain".
  if (given['code_challenge_method'] !== 'S256') {
    throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.');
  }
  if (!S256_CHALLENGE.test(challenge)) {
    throw new OAuthError(
      'invalid_request',
      'The code_challenge must be 43 characters of base64url: the SHA-256 of the code_verifier.',
    );
  }
}

function requireResource(value: string | undefined, resources: ProtectedResources): ProtectedResource {
  const wanted = `use ${resources.mcp.id} for MCP or ${resources.api.id} for the REST API`;
  if (!value) throw new OAuthError('invalid_target', `The parameter resource is missing; ${wanted}.`);
  const resource = canonicalResource(value, resources);
  if (resource !== undefined) return resource;
  throw new OAuthError('invalid_target', `The resource ${value.slice(0, 200)} is not known; ${wanted}.`);
}

/** Absent: what an MCP client registered of the MCP scopes, else all that the resource has. */
function scopeOf(value: string | undefined, client: Client, resource: ProtectedResource): string {
  const asked = (value ?? '').split(' ').filter((scope) => scope !== '');
  const unsupported = asked.find((scope) => !resource.scopes.includes(scope));
  if (unsupported !== undefined) {
    const listed = resource.name === 'mcp' ? MCP_SCOPES.join(' and ') : 'none that is named in a request';
    const why = SUPPORTED_SCOPES.includes(unsupported) ? `is not one of ${resource.id}` : 'is not supported';
    throw new OAuthError(
      'invalid_scope',
      `The scope ${unsupported.slice(0, 100)} ${why}; there are ${listed}.`,
    );
  }
  if (asked.length > 0) return [...new Set(asked)].join(' ');
  const registered = (client.metadata.scope ?? '')
    .split(' ')
    .filter((scope) => resource.scopes.includes(scope));
  return (registered.length > 0 ? registered : resource.scopes).join(' ');
}

function promptOf(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const asked = value.split(' ');
  if (asked.includes('none')) {
    throw new OAuthError(
      'interaction_required',
      'Users are always asked for consent, so prompt=none cannot be met.',
    );
  }
  const known = asked.flatMap((name) => PROMPTS.get(name) ?? []);
  return known.length === 0 ? undefined : [...new Set(known)].join(' ');
}

function required(given: Readonly<Record<string, string | undefined>>, name: string, what: string): string {
  const value = given[name];
  if (!value) throw missing(name, what);
  return value;
}

function missing(name: string, what: string): OAuthError {
  return new OAuthError('invalid_request', `The parameter ${name} is missing; it must be ${what}.`);
}
