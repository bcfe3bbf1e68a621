import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { OAuthContext } from './context.ts';
import { describeGrantError } from './grant-errors.ts';
import type { KeySet } from './key-set.ts';
import { createLibrary, type LibraryOptions } from './library.ts';

/** oidc-provider with the signing key that is active now. */
export interface CurrentLibrary {
  provider(): Promise<Provider>;
  /** Lets it answer the request, or the one with this path and query in its place. */
  answer(ctx: OAuthContext, url?: string): Promise<void>;
}

export interface CurrentLibraryOptions extends LibraryOptions {
  keySet: KeySet;
  log: Logger;
  audit: Logger;
}

/** It reads its keys when it is made, so a new key makes a new one; that takes milliseconds and needs no restart. */
export function createLibraryOfTheMoment(options: CurrentLibraryOptions): CurrentLibrary {
  const { issuer, keySet } = options;
  const { protocol, host } = new URL(issuer);
  let current: { kid: string; provider: Provider; callback: ReturnType<Provider['callback']> } | undefined;

  async function library(): Promise<NonNullable<typeof current>> {
    const signingKey = await keySet.signingJwk('RS256');
    if (current?.kid !== signingKey.kid) {
      const provider = createLibrary(signingKey, options);
      report(provider, options);
      current = { kid: signingKey.kid, provider, callback: provider.callback() };
    }
    return current;
  }

  return {
    provider: async () => (await library()).provider,
    async answer(ctx, url = ctx.req.url) {
      const { callback } = await library();
      const { req, res } = ctx;
      const received = req.url;
      // It makes URLs of what a request says about itself, which may be anything.
      req.headers['x-forwarded-proto'] = protocol.replace(':', '');
      req.headers['x-forwarded-host'] = host;
      if (url !== undefined) req.url = url;
      ctx.respond = false;
      try {
        await callback(req, res);
      } finally {
        if (received !== undefined) req.url = received;
      }
    },
  };
}

/** What it tells of by events: errors, which get a description that helps, and what the audit log keeps. */
function report(provider: Provider, { log, audit }: Pick<CurrentLibraryOptions, 'log' | 'audit'>): void {
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'authorization request failed'));
  provider.on('grant.error', (ctx, error) => {
    ctx.body = { error: error.error, error_description: describeGrantError(error) };
    const clientId = ctx.oidc.client?.clientId;
    audit.warn(
      { event: 'token.refused', clientId, error: error.error, cause: error.error_detail },
      'token request refused',
    );
  });
  provider.on('grant.revoked', (ctx, grantId) => {
    const clientId = ctx.oidc.client?.clientId;
    audit.warn(
      { event: 'token.reused', clientId, grantId },
      'a used code or token came again; its grant is revoked',
    );
  });
  provider.on('grant.success', (ctx) => {
    const { AccessToken, Account, Client } = ctx.oidc.entities;
    const { grant_type: grantType } = ctx.oidc.params ?? {};
    const grant = { grantId: AccessToken?.grantId, scope: AccessToken?.scope, resource: AccessToken?.aud };
    audit.info(
      { event: 'token.issued', grantType, clientId: Client?.clientId, userId: Account?.accountId, ...grant },
      'token issued',
    );
  });
}
