import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { OAuthClients } from '../ports/oauth-store.ts';
import { readBody } from './body.ts';
import { parseClientMetadata, refusedRedirects } from './client-metadata.ts';
import type { OAuthMiddleware } from './context.ts';
import { OAuthError } from './oauth-error.ts';
import type { RedirectPolicy } from './redirect-policy.ts';

/**
 * Dynamic Client Registration (RFC 7591) for public clients. One bad redirect URI refuses the whole registration, so
 * that no client believes it has one that it has not.
 */
export function createRegistration({
  clients,
  policy,
  audit,
  now,
}: {
  clients: Pick<OAuthClients, 'add'>;
  policy: RedirectPolicy;
  audit: Logger;
  now: () => Date;
}): OAuthMiddleware {
  return async (ctx) => {
    const metadata = parseClientMetadata(await readBody(ctx, ['json'], 'invalid_client_metadata'));
    const refused = await refusedRedirects(policy, metadata.redirect_uris);
    if (refused.size > 0) {
      throw new OAuthError('invalid_redirect_uri', [...refused.values()].join(' '));
    }
    const id = randomUUID();
    const createdAt = now();
    await clients.add({ id, metadata: { ...metadata }, createdAt });
    audit.info(
      {
        event: 'client.registered',
        clientId: id,
        name: metadata.client_name,
        redirects: metadata.redirect_uris,
      },
      'client registered',
    );
    ctx.status = 201;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      client_id: id,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
      ...metadata,
    };
  };
}
