import { z } from 'zod';
import { OAuthError } from './oauth-error.ts';
import type { RedirectPolicy } from './redirect-policy.ts';
import { checkRedirectUri } from './redirect-uris.ts';
import { API_SCOPE, MCP_SCOPES } from './resources.ts';

/** What is kept of a client's metadata (RFC 7591 §2), whether it registered or published it. All clients are public. */
export interface ClientMetadata {
  client_name?: string;
  client_uri?: string;
  logo_uri?: string;
  policy_uri?: string;
  tos_uri?: string;
  contacts?: string[];
  software_id?: string;
  software_version?: string;
  redirect_uris: string[];
  application_type: 'native' | 'web';
  grant_types: ['authorization_code', 'refresh_token'];
  response_types: ['code'];
  token_endpoint_auth_method: 'none';
  scope?: string;
}

export const SUPPORTED_SCOPES: readonly string[] = [...MCP_SCOPES, API_SCOPE];

const MAX_REDIRECT_URIS = 32;
const MAX_TEXT_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2000;

const absent = (value: unknown) => (value === null || value === '' ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(absent, schema.optional());
const text = optional(
  z
    .string('must be a string')
    // Control characters and marks of direction would let a name show as something else.
    .transform((value) =>
      Array.from(value.replace(/\p{C}/gu, '').trim()).slice(0, MAX_TEXT_CHARACTERS).join(''),
    ),
);
const webPage = optional(
  z
    .string('must be a string')
    .max(MAX_URL_CHARACTERS, `must not be longer than ${MAX_URL_CHARACTERS} characters`)
    .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be an http or https URL'),
);
const strings = (what: string) =>
  z.array(z.string(`must be an array of ${what}`), `must be an array of ${what}`);

const metadataSchema = z.object({
  redirect_uris: strings('strings')
    .min(1, 'must have at least one redirect URI')
    .max(MAX_REDIRECT_URIS, `must not have more than ${MAX_REDIRECT_URIS} redirect URIs`),
  client_name: text,
  client_uri: webPage,
  logo_uri: webPage,
  policy_uri: webPage,
  tos_uri: webPage,
  contacts: optional(strings('strings').max(10, 'must not have more than 10 members')),
  software_id: text,
  software_version: text,
  scope: optional(z.string('must be one string of space-separated scopes')),
  grant_types: optional(
    strings('strings').refine(
      (types) => types.includes('authorization_code'),
      'must have authorization_code; this service knows authorization_code and refresh_token',
    ),
  ),
  response_types: optional(
    strings('strings').refine(
      (types) => types.includes('code'),
      'must have code, the one response type of this service',
    ),
  ),
});

/**
 * Checks a client's metadata, replaces what this service has only one of (RFC 7591 §3.2.1), and leaves out what it does
 * not know. Redirect URIs are judged by their form, not by approval.
 * Throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata`.
 */
export function parseClientMetadata(input: unknown): ClientMetadata {
  const parsed = metadataSchema.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = String(issue?.path[0] ?? 'The client metadata');
    const error = member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    const fault = issue?.path.length === 0 ? 'must be a JSON object' : (issue?.message ?? 'is malformed');
    throw new OAuthError(error, `${member} ${fault}.`);
  }
  const { redirect_uris, scope, grant_types: _, response_types: __, ...described } = parsed.data;
  const kept = scope?.split(/\s+/).filter((name) => SUPPORTED_SCOPES.includes(name)) ?? [];
  return {
    ...defined(described),
    redirect_uris: [...new Set(redirect_uris)],
    application_type: redirect_uris.every(isHosted) ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...(kept.length === 0 ? {} : { scope: [...new Set(kept)].join(' ') }),
  };
}

/** Why each refused redirect URI is refused; empty when all may be used. */
export async function refusedRedirects(
  policy: RedirectPolicy,
  uris: readonly string[],
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const uri of uris) {
    const refusal = await policy.refusal(uri);
    if (refusal !== undefined) refused.set(uri, refusal);
  }
  return refused;
}

/** Ports are free for native clients only, so one loopback or private-use redirect makes a client native. */
function isHosted(uri: string): boolean {
  const checked = checkRedirectUri(uri);
  return 'kind' in checked && checked.kind === 'hosted';
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  ) as Defined<T>;
}
