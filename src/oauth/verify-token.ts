import { decodeProtectedHeader, errors, jwtVerify, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Grants } from '../ports/accounts.ts';
import type { KeySet } from './key-set.ts';
import type { ProtectedResource } from './resources.ts';

/** A revoked grant is refused no later than this, although tokens are self-contained. */
const GRANT_CACHE_SECONDS = 30;
const MAX_CACHED_GRANTS = 10_000;
/** `last use` is for people to look at; a write a minute and grant is enough. */
const TOUCH_SECONDS = 60;
/** Clocks of two machines differ. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_TOKEN_CHARACTERS = 8192;

/** What a verified access token allows. */
export interface Access {
  userId: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  grantId: string;
  expiresAt: Date;
}

/** The token is not good for this resource. The message tells the client's developer why and holds no part of the token. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';
}

export interface TokenVerifier {
  /** Throws InvalidTokenError. */
  verify(token: string): Promise<Access>;
}

/** The claims of RFC 9068 §2.2 with the grant that the token was issued from. */
const claimsSchema = z.object({
  sub: z.string().min(1),
  client_id: z.string().min(1),
  scope: z.string(),
  grant_id: z.string().min(1),
  jti: z.string().min(1),
  exp: z.number(),
  iat: z.number(),
});

/**
 * Verifies access tokens of one resource: signature by the resource's one algorithm and a key of the installation,
 * `typ` `at+jwt` (RFC 9068 §4), `iss`, `aud`, times, and a grant that still stands.
 */
export function createTokenVerifier({
  issuer,
  resource,
  keySet,
  grants,
  now = () => new Date(),
}: {
  issuer: string;
  resource: ProtectedResource;
  keySet: KeySet;
  grants: Pick<Grants, 'grant' | 'touch'>;
  now?: () => Date;
}): TokenVerifier {
  const standing = new LRUCache<string, { userId: string; resource: string } | 'none'>({
    max: MAX_CACHED_GRANTS,
    ttl: GRANT_CACHE_SECONDS * 1000,
  });
  const touched = new LRUCache<string, true>({ max: MAX_CACHED_GRANTS, ttl: TOUCH_SECONDS * 1000 });

  async function verifySignature(token: string) {
    const { kid } = decodeProtectedHeader(token);
    if (kid === undefined) throw new InvalidTokenError('The token names no key (kid).');
    const key: CryptoKey | Uint8Array | undefined = await keySet.verificationKey(
      kid,
      resource.signingAlgorithm,
    );
    if (key === undefined)
      throw new InvalidTokenError('The token is not signed by a key of this service for this resource.');
    return jwtVerify(token, key, {
      algorithms: [resource.signingAlgorithm],
      typ: 'at+jwt',
      issuer,
      audience: resource.id,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
    });
  }

  async function requireGrant(grantId: string, userId: string): Promise<void> {
    let grant = standing.get(grantId);
    if (grant === undefined) {
      grant = (await grants.grant(grantId)) ?? 'none';
      standing.set(grantId, grant);
    }
    if (grant === 'none' || grant.userId !== userId || grant.resource !== resource.id) {
      throw new InvalidTokenError('The access was revoked; the user has to authorize again.');
    }
    if (!touched.has(grantId)) {
      touched.set(grantId, true);
      await grants.touch(grantId, now());
    }
  }

  return {
    async verify(token) {
      if (token.length > MAX_TOKEN_CHARACTERS)
        throw new InvalidTokenError('The token is not one of this service.');
      let payload: unknown;
      try {
        ({ payload } = await verifySignature(token));
      } catch (error) {
        throw explain(error, resource, issuer);
      }
      const claims = claimsSchema.safeParse(payload);
      if (!claims.success)
        throw new InvalidTokenError('The token lacks a claim that access tokens of this service have.');
      const { sub, client_id, scope, grant_id, exp } = claims.data;
      await requireGrant(grant_id, sub);
      return {
        userId: sub,
        clientId: client_id,
        scopes: new Set(scope.split(' ').filter((name) => name !== '')),
        grantId: grant_id,
        expiresAt: new Date(exp * 1000),
      };
    },
  };
}

function explain(error: unknown, resource: ProtectedResource, issuer: string): unknown {
  if (error instanceof InvalidTokenError) return error;
  if (error instanceof errors.JWTExpired) return new InvalidTokenError('The token has expired; refresh it.');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return new InvalidTokenError(`The token was issued for another resource than ${resource.id}.`);
  }
  // Its signature is ours: it comes from a command that was given another BASE_URL or PORT than the server.
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss') {
    return new InvalidTokenError(
      `The token was issued for another address than ${issuer}, which is BASE_URL here.`,
    );
  }
  // jose throws TypeError for a token that is no JWT at all.
  if (error instanceof errors.JOSEError || error instanceof TypeError) {
    return new InvalidTokenError('The token is not an access token of this service.', { cause: error });
  }
  return error;
}
