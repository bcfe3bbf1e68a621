import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const UPSTREAM_CLIENT = { id: 'vitrine', secret: 'a-secret-of-two-parties-that-is-long-enough' };

/** An OpenID provider of its own on a free port, run by the library that certified providers run on. */
export interface UpstreamProvider {
  issuer: string;
  /** Claims of people by subject. Whoever is asked for signs in by pressing the button with that name. */
  people: Map<string, Record<string, unknown>>;
  /** Has to come first: where our service takes the answer. */
  register(redirectUri: string): void;
  close(): Promise<void>;
}

export async function startUpstreamProvider(
  people: Record<string, Record<string, unknown>>,
): Promise<UpstreamProvider> {
  const known = new Map(Object.entries(people));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function register(redirectUri: string): void {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: UPSTREAM_CLIENT.id,
          client_secret: UPSTREAM_CLIENT.secret,
          redirect_uris: [redirectUri],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'plan'] },
      cookies: { keys: ['test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/people/${interaction.uid}` },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_ctx, sub) =>
        known.has(sub)
          ? { accountId: sub, claims: () => Promise.resolve({ sub, ...known.get(sub) }) }
          : undefined,
    });
    const callback = provider.callback();
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/people/') !== true) return void callback(request, response);
      void answerInteraction(provider, request, response, [...known.keys()]);
    });
  }

  return {
    issuer,
    people: known,
    register,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Exchange = Parameters<Provider['interactionDetails']>;

/** A page with a button for each person, and one to leave; the query says which was pressed. */
async function answerInteraction(
  provider: Provider,
  request: Exchange[0],
  response: Exchange[1],
  names: readonly string[],
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const chosen = searchParams.get('sub');
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (chosen === '') {
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  }
  if (prompt.name === 'consent') {
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
    grant.addOIDCScope('openid email');
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }
  if (chosen !== null) {
    return provider.interactionFinished(request, response, { login: { accountId: chosen } });
  }
  const links = [...names, ''].map(
    (name) => `<p><a href="${pathname}?sub=${name}">${name === '' ? 'Leave' : name}</a></p>`,
  );
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>Another provider</title><h1>Who are you?</h1>${links.join('')}`);
}
