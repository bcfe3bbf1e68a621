import { createHmac } from 'node:crypto';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { Accounts } from '../ports/accounts.ts';
import type { OAuthClients } from '../ports/oauth-store.ts';
import type { Client, ClientDirectory } from './clients.ts';
import type { OAuthContext } from './context.ts';
import { InteractionNotFoundError, type InteractionClient, type Interactions } from './interactions.ts';
import { OAuthError } from './oauth-error.ts';
import { checkRedirectUri, redirectHost } from './redirect-uris.ts';
import { canonicalResource, type ProtectedResources } from './resources.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface InteractionOptions {
  /** The one with the keys of this moment. */
  provider: () => Promise<Provider>;
  clients: ClientDirectory;
  registered: Pick<OAuthClients, 'touch'>;
  accounts: Pick<Accounts, 'user'>;
  resources: ProtectedResources;
  /** Only this service knows it; makes the tokens of the forms. */
  formSecret: Uint8Array;
  audit: Logger;
  now: () => Date;
}

export interface AnswerableInteractions extends Interactions {
  /**
   * Before an answered request goes on: the browser is from now on signed in as whoever answered it, whatever another tab
   * has done since.
   */
  settleAccount(ctx: OAuthContext): Promise<void>;
}

/** What the pages ask and answer, over the interactions of oidc-provider. */
export function createInteractions(options: InteractionOptions): AnswerableInteractions {
  const { clients, registered, accounts, resources, formSecret, audit, now } = options;

  /** What the cookie of this name stands for. */
  async function find(ctx: OAuthContext, cookie: 'interaction' | 'resume') {
    const provider = await options.provider();
    const context = provider.createContext(ctx.req, ctx.res);
    const uid = context.cookies.get(provider.cookieName(cookie), { signed: true });
    const interaction =
      uid !== undefined && ctx.path.split('/')[3] === uid ? await provider.Interaction.find(uid) : undefined;
    if (interaction === undefined) return undefined;
    const session = await provider.Session.get(context);
    const { session: origin } = interaction;
    // Another tab has signed in as somebody else since; the library would end what this one asks for.
    if (origin !== undefined && (origin.uid !== session.uid || origin.accountId !== session.accountId)) {
      delete interaction.session;
      await interaction.persist();
    }
    return { provider, interaction, session };
  }

  async function load(ctx: OAuthContext): Promise<{ provider: Provider; interaction: Interaction }> {
    const found = await find(ctx, 'interaction');
    if (found === undefined) throw new InteractionNotFoundError();
    return found;
  }

  async function finish(ctx: OAuthContext, provider: Provider, result: InteractionResults): Promise<void> {
    ctx.respond = false;
    await provider.interactionFinished(ctx.req, ctx.res, result);
  }

  async function clientOf(interaction: Interaction): Promise<Client> {
    try {
      return await clients.find(String(interaction.params['client_id']));
    } catch (error) {
      // Removed while its user was thinking about it.
      if (error instanceof OAuthError) throw new InteractionNotFoundError();
      throw error;
    }
  }

  return {
    async details(ctx) {
      const { interaction } = await load(ctx);
      const client = await clientOf(interaction);
      const { redirect_uri, resource: id, scope, prompt } = interaction.params as Record<string, string>;
      const resource = canonicalResource(id ?? '', resources);
      if (redirect_uri === undefined || resource === undefined) throw new InteractionNotFoundError();
      const userId = interaction.session?.accountId;
      const account = userId === undefined ? undefined : await accounts.user(userId);
      return {
        uid: interaction.uid,
        prompt: interaction.prompt.name === 'consent' ? 'consent' : 'login',
        reauthenticate: (prompt ?? '').split(' ').includes('login'),
        client: describe(client, redirect_uri),
        redirectHost: redirectHost(redirect_uri),
        redirectUri: redirect_uri,
        scopes: (scope ?? '').split(' '),
        resource,
        ...(account === undefined ? {} : { account }),
        csrf: createHmac('sha256', formSecret).update(interaction.uid).digest('base64url'),
      };
    },

    async login(ctx, userId) {
      const { provider } = await load(ctx);
      await finish(ctx, provider, { login: { accountId: userId } });
    },

    async consent(ctx) {
      const { provider, interaction } = await load(ctx);
      const { client_id, resource, scope } = interaction.params as Record<string, string>;
      const accountId = interaction.session?.accountId;
      if (interaction.prompt.name !== 'consent' || accountId === undefined)
        throw new InteractionNotFoundError();
      if (client_id === undefined || resource === undefined || scope === undefined) {
        throw new InteractionNotFoundError();
      }
      const { login, consent } = interaction.result ?? {};
      // Given already, by a form that was sent twice: a second grant would be a connection that nobody has.
      if (consent !== undefined && login?.accountId === accountId) {
        await finish(ctx, provider, { login, consent });
        return;
      }
      // A grant of its own for each consent: connections of one client live and die apart.
      const grant = new provider.Grant({ accountId, clientId: client_id });
      grant.addResourceScope(resource, scope);
      grant.addOIDCScope(scope);
      const grantId = await grant.save();
      await registered.touch(client_id, now());
      audit.info(
        { event: 'consent.given', userId: accountId, clientId: client_id, grantId, scope, resource },
        'consent given',
      );
      await finish(ctx, provider, { login: { accountId }, consent: { grantId } });
    },

    async deny(ctx) {
      const { provider, interaction } = await load(ctx);
      const { client_id: clientId } = interaction.params;
      audit.info(
        { event: 'consent.denied', userId: interaction.session?.accountId, clientId },
        'consent denied',
      );
      await finish(ctx, provider, {
        error: 'access_denied',
        error_description: 'The user has declined the request.',
      });
    },

    async settleAccount(ctx) {
      const found = await find(ctx, 'resume');
      const userId = found?.interaction.result?.login?.accountId;
      if (found === undefined || userId === undefined) return;
      const { interaction, session } = found;
      if (session.accountId === undefined || session.accountId === userId) return;
      delete interaction.session;
      await interaction.persist();
      await session.destroy();
    },
  };
}

function describe({ id, kind, metadata }: Client, redirectUri: string): InteractionClient {
  const checked = checkRedirectUri(redirectUri);
  const { client_name: name, client_uri: uri } = metadata;
  return {
    id,
    kind,
    verified: 'kind' in checked && checked.kind === 'hosted',
    ...(name === undefined ? {} : { name }),
    ...(uri === undefined ? {} : { uri }),
  };
}
