import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { Grant } from '../ports/accounts.ts';
import type { KeySet } from './key-set.ts';
import type { ProtectedResource } from './resources.ts';

/** Signs an access token of a grant, with the claims and header of RFC 9068 §2. */
export async function issueAccessToken({
  issuer,
  resource,
  grant,
  keySet,
  now = new Date(),
}: {
  issuer: string;
  resource: ProtectedResource;
  grant: Pick<Grant, 'id' | 'userId' | 'clientId' | 'scope'>;
  keySet: Pick<KeySet, 'signingKey'>;
  now?: Date;
}): Promise<string> {
  const { kid, key } = await keySet.signingKey(resource.signingAlgorithm);
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ client_id: grant.clientId, scope: grant.scope, grant_id: grant.id })
    .setProtectedHeader({ alg: resource.signingAlgorithm, typ: 'at+jwt', kid })
    .setIssuer(issuer)
    .setSubject(grant.userId)
    .setAudience(resource.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + resource.accessTokenSeconds)
    .setJti(randomUUID())
    .sign(key);
}
