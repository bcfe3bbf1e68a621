import { HttpProblem } from './problem.ts';

/**
 * The token of an `Authorization: Bearer …` header (RFC 6750 §2.1), unchecked. Undefined when there is no such header,
 * another scheme, or no token in it.
 */
export function bearerToken(header: string): string | undefined {
  const token = /^Bearer +(.+)$/i.exec(header)?.[1]?.trim();
  return token === '' ? undefined : token;
}

export interface BearerChallenge {
  /** Where the protected resource describes itself (RFC 9728 §5.1). */
  metadataUrl: string;
  /** Space-separated scopes that a client should ask for. */
  scope?: string;
}

/** 401 for a request without a token: a challenge without an error code (RFC 6750 §3.1). */
export function tokenMissing(challenge: BearerChallenge): HttpProblem {
  return new HttpProblem('unauthorized', 'Send an access token in the header "Authorization: Bearer …".', {
    headers: { 'WWW-Authenticate': challengeHeader(challenge) },
  });
}

/** 401 for a token that is not accepted; `reason` is shown to the caller. */
export function tokenRefused(challenge: BearerChallenge, reason: string): HttpProblem {
  return new HttpProblem('invalid_token', reason, {
    headers: {
      'WWW-Authenticate': challengeHeader({ ...challenge, error: 'invalid_token', description: reason }),
    },
  });
}

/** 403 for a token that lacks a scope; `scope` of the challenge is the one that is needed. */
export function scopeMissing(challenge: Required<BearerChallenge>): HttpProblem {
  return new HttpProblem('insufficient_scope', `The access token lacks the scope ${challenge.scope}.`, {
    headers: { 'WWW-Authenticate': challengeHeader({ ...challenge, error: 'insufficient_scope' }) },
  });
}

function challengeHeader(challenge: BearerChallenge & { error?: string; description?: string }): string {
  const parameters = [
    ['error', challenge.error],
    ['error_description', challenge.description],
    ['scope', challenge.scope],
    ['resource_metadata', challenge.metadataUrl],
  ] as const;
  return `Bearer ${parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`])).join(', ')}`;
}

/** RFC 6750 §3 allows these characters in a parameter's value and no others. */
function quotable(value: string): string {
  return value.replace(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "'");
}
