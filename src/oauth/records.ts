import { hash } from 'node:crypto';
import { errors, Provider, type Adapter, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider';
import type { OAuthRecord, OAuthRecordKind, OAuthStore } from '../ports/oauth-store.ts';
import { SUPPORTED_SCOPES } from './client-metadata.ts';
import type { Client, ClientDirectory } from './clients.ts';
import { OAuthError } from './oauth-error.ts';
import { canonicalResource, type ProtectedResources } from './resources.ts';

/** Codes, tokens and cookies are looked up by this; the store never sees the value itself. */
export function hashOf(value: string): string {
  return hash('sha256', value, 'base64url');
}

export interface AdapterOptions {
  issuer: string;
  store: OAuthStore;
  clients: ClientDirectory;
  resources: ProtectedResources;
  now: () => Date;
}

/** How oidc-provider stores what it remembers, by the name of its model. */
export function createAdapterFactory(options: AdapterOptions): (model: string) => Adapter {
  return (model) => {
    switch (model) {
      case 'Client':
        return clientAdapter(options.clients);
      case 'Grant':
        return grantAdapter(options);
      case 'AuthorizationCode':
      case 'RefreshToken':
      case 'Interaction':
      case 'Session':
        return recordAdapter(model, options);
      default:
        return NOTHING;
    }
  };
}

const SINGLE_USE: ReadonlySet<OAuthRecordKind> = new Set(['AuthorizationCode', 'RefreshToken']);

const nothing = () => Promise.resolve(undefined);
/** For models that are switched off, and for access tokens, which carry everything in themselves. */
const NOTHING: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

function clientAdapter(clients: ClientDirectory): Adapter {
  return {
    ...NOTHING,
    async find(id) {
      try {
        return clientPayload(await clients.find(id));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const { status } = error;
        throw Object.assign(new errors.InvalidClient(error.message), { status, statusCode: status });
      }
    },
  };
}

/** Scopes are not bound to what a client registered: every user is asked, and clients ask for more as they need it. */
function clientPayload({ id, metadata }: Client): AdapterPayload {
  const { redirect_uris, application_type, grant_types, response_types, token_endpoint_auth_method } =
    metadata;
  return {
    client_id: id,
    redirect_uris,
    application_type,
    grant_types,
    response_types,
    token_endpoint_auth_method,
  };
}

function grantAdapter({ store: { grants }, now }: AdapterOptions): Adapter {
  return {
    ...NOTHING,
    async upsert(id, payload, expiresIn = 0) {
      const [[resource, scope] = []] = Object.entries(payload.resources ?? {});
      const { accountId: userId, clientId } = payload;
      if (resource === undefined || scope === undefined || userId === undefined || clientId === undefined) {
        throw new Error('A grant has a user, a client, a resource and a scope.');
      }
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + expiresIn * 1000);
      await grants.save({ id, userId, clientId, resource, scope, createdAt, expiresAt });
    },
    async find(id) {
      const grant = await grants.find(id);
      return (
        grant && {
          jti: id,
          kind: 'Grant',
          accountId: grant.userId,
          clientId: grant.clientId,
          resources: { [grant.resource]: grant.scope },
          openid: { scope: grant.scope },
          iat: epochSeconds(grant.createdAt),
          exp: epochSeconds(grant.expiresAt),
        }
      );
    },
    async destroy(id) {
      await grants.revoke(id);
    },
  };
}

/** What a token request has found, until it is used up: by the request, so that two of them never mix. */
const found = new WeakMap<KoaContextWithOIDC, OAuthRecord>();
/** A code or refresh token that goes at the moment in which its successor is stored: both or neither. */
const replaced = new WeakMap<KoaContextWithOIDC, OAuthRecord>();

function recordAdapter(kind: OAuthRecordKind, { issuer, store, resources, now }: AdapterOptions): Adapter {
  const { records, grants } = store;

  /** The loser of a race holds a copy: whoever has two copies of one token is not to be trusted (RFC 9700 §4.14.2). */
  async function lost(record: OAuthRecord): Promise<never> {
    if (record.grantId !== undefined) {
      await grants.revoke(record.grantId);
      Provider.ctx?.oidc.provider.emit('grant.revoked', Provider.ctx, record.grantId);
    }
    throw new errors.InvalidGrant(
      record.kind === 'RefreshToken' ? 'refresh token already used' : 'authorization code already consumed',
    );
  }

  return {
    ...NOTHING,
    async upsert(id, payload, expiresIn = 0) {
      const record = {
        kind,
        idHash: hashOf(id),
        payload: withoutSecrets(payload),
        ...(payload.grantId === undefined || kind === 'Interaction' ? {} : { grantId: payload.grantId }),
        ...(kind === 'Session' && payload.uid !== undefined ? { uid: payload.uid } : {}),
        expiresAt: new Date(now().getTime() + expiresIn * 1000),
      };
      const ctx = Provider.ctx;
      const predecessor = kind === 'RefreshToken' && ctx !== undefined ? replaced.get(ctx) : undefined;
      if (predecessor === undefined) {
        if (!(await records.save(record))) throw new errors.InvalidGrant('grant not found');
        return;
      }
      const outcome = await records.replace(predecessor.kind, predecessor.idHash, record, now());
      if (outcome === 'lost') await lost(predecessor);
    },

    async find(id) {
      const record = await records.find(kind, hashOf(id));
      if (record === undefined) return undefined;
      if (Provider.ctx !== undefined && SINGLE_USE.has(kind)) found.set(Provider.ctx, record);
      return withSecrets(record, id, issuer);
    },

    async findByUid(uid) {
      const record = await records.findByUid(kind, uid);
      // Whoever asks by this name gets no cookie out of it.
      return record && { ...record.payload, jti: '' };
    },

    consume() {
      const ctx = Provider.ctx;
      const record = ctx && found.get(ctx);
      if (ctx === undefined || record === undefined)
        throw new Error('Nothing was found that could be used up.');
      checkBeforeUse(ctx, record, resources);
      replaced.set(ctx, record);
      return Promise.resolve();
    },

    destroy: (id) => records.remove(kind, hashOf(id)),
  };
}

/**
 * The parameters that must be right before a code or refresh token is used up, or the client could not ask again.
 * Sets `resource` to the spelling that the grant has.
 */
function checkBeforeUse(ctx: KoaContextWithOIDC, record: OAuthRecord, resources: ProtectedResources): void {
  const { resource, grant_type } = ctx.oidc.params ?? {};
  const granted = String(record.payload['resource']);
  if (typeof resource !== 'string') {
    throw new errors.InvalidTarget(
      `The parameter resource must be there exactly once, with the value of the authorization request: ${granted}.`,
    );
  }
  if (canonicalResource(resource, resources)?.id !== granted) {
    throw new errors.InvalidGrant(`resource mismatch: ${granted}`);
  }
  const { scope } = ctx.oidc.body ?? {};
  const asked = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
  const unsupported = asked.find((name) => !SUPPORTED_SCOPES.includes(name));
  if (unsupported !== undefined && grant_type === 'authorization_code') {
    throw new errors.InvalidScope('The scope is not supported; leave it out, the code has one.', unsupported);
  }
  if (ctx.oidc.params !== undefined) ctx.oidc.params['resource'] = granted;
}

/** The payload repeats the value that is stored as a hash: as `jti`, and in an interaction's and its session's addresses. */
function withoutSecrets(payload: AdapterPayload): Record<string, unknown> {
  const { jti: _, returnTo: __, ...kept } = payload;
  const session = payload['session'] as { cookie?: string } | undefined;
  return session === undefined ? kept : { ...kept, session: { ...session, cookie: undefined } };
}

function withSecrets({ kind, payload, consumedAt }: OAuthRecord, id: string, issuer: string): AdapterPayload {
  return {
    ...payload,
    jti: id,
    ...(kind === 'Interaction' ? { returnTo: `${issuer}/oauth/authorize/${id}` } : {}),
    ...(consumedAt === undefined ? {} : { consumed: epochSeconds(consumedAt) }),
  };
}

function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
