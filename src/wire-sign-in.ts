import type { Logger } from 'pino';
import { createConnections } from './accounts/connections.ts';
import { createBrowserSessions } from './accounts/sessions.ts';
import { createPasswordSignIn } from './accounts/sign-in.ts';
import { createUpstream } from './accounts/upstream.ts';
import type { Config } from './config.ts';
import type { RequestMiddleware } from './middleware/state.ts';
import type { Interactions } from './oauth/interactions.ts';
import type { ProtectedResources } from './oauth/resources.ts';
import { createPages } from './pages/pages.ts';
import type { SqlStores } from './wire.ts';

/** The pages that people sign in, consent and look at their account with. */
export function wirePages({
  stores,
  config,
  resources,
  interactions,
  audit,
  now,
}: {
  stores: SqlStores;
  config: Pick<Config, 'baseUrl' | 'oidc' | 'mcpPlans' | 'downloadPlans'>;
  resources: ProtectedResources;
  interactions: Interactions;
  audit: Logger;
  now: () => Date;
}): RequestMiddleware {
  const { accounts, identities, grants, oauth } = stores;
  const { baseUrl, oidc, mcpPlans, downloadPlans } = config;
  const redirectUri = `${baseUrl}/sign-in/callback`;
  return createPages({
    baseUrl,
    mcpPlans,
    downloadPlans,
    interactions,
    resources,
    sessions: createBrowserSessions({ accounts, sessions: oauth.signInSessions, now }),
    signIn: createPasswordSignIn({ accounts, audit }),
    connections: createConnections({ grants, clients: oauth.clients }),
    ...(oidc === undefined
      ? {}
      : { upstream: createUpstream({ settings: oidc, redirectUri, accounts, identities }) }),
    audit,
    now,
  });
}
