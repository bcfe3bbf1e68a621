import type { errors } from 'oidc-provider';
import { quotable } from './oauth-error.ts';

const AGAIN = 'send the user through authorization again';
const AUTHORIZE = 'as it was at /oauth/authorize';

/**
 * What to do about a refused token request, by the cause that oidc-provider keeps to itself: its own descriptions say no
 * more than that the request is invalid. Public clients have no secret, so that nothing is given away.
 */
const DESCRIPTIONS: readonly (readonly [cause: RegExp, description: string])[] = [
  [/^authorization code not found/, `The code is not one of this server, or is long gone; ${AGAIN}.`],
  [/^authorization code is expired/, `The code has expired: it lives one minute; ${AGAIN}.`],
  [
    /^authorization code already consumed/,
    `The code was used before. What it was exchanged for is revoked; ${AGAIN}.`,
  ],
  [/^authorization code redirect_uri mismatch/, `The redirect_uri must be exactly ${AUTHORIZE}.`],
  [
    /code_verifier|PKCE/,
    'PKCE verification failed: the code_verifier must be the one whose SHA-256 was the code_challenge.',
  ],
  [/^refresh token not found/, `The refresh token is not one of this server, or was revoked; ${AGAIN}.`],
  [/^refresh token is expired/, `The refresh token has expired; ${AGAIN}.`],
  [
    /^refresh token already used/,
    `The refresh token was used before. For safety the whole connection is revoked; ${AGAIN}.`,
  ],
  [/^grant not found|^grant is expired|account/, `The access was revoked or has ended; ${AGAIN}.`],
  [/^client mismatch/, 'It was issued to another client; send the client_id of the authorization.'],
];

const GRANT_TYPES = 'The grant_type must be authorization_code or refresh_token.';

/** An `error_description` that names the cause and what would be right. */
export function describeGrantError(error: errors.OIDCProviderError): string {
  const cause = error.error_detail ?? '';
  const resource = /^resource mismatch: (.*)/.exec(cause)?.[1];
  if (resource !== undefined) {
    return quotable(`The resource must be the one of the authorization request: ${resource}.`);
  }
  if (error.error === 'unsupported_grant_type') return GRANT_TYPES;
  const known = DESCRIPTIONS.find(([pattern]) => pattern.test(cause));
  if (known !== undefined) return known[1];
  if (error.error === 'invalid_client' && cause !== '') {
    return 'Clients are public here: send client_id in the form, without a secret or an Authorization header.';
  }
  return quotable(error.error_description ?? 'The request is invalid.');
}
