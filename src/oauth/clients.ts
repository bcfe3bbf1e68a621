import type { OAuthClients } from '../ports/oauth-store.ts';
import { parseClientMetadata, refusedRedirects, type ClientMetadata } from './client-metadata.ts';
import type { MetadataDocuments } from './metadata-documents.ts';
import { OAuthError } from './oauth-error.ts';
import type { RedirectPolicy } from './redirect-policy.ts';

/** A client as it stands at this moment. */
export interface Client {
  id: string;
  kind: 'registered' | 'metadata-document';
  /** With the redirect URIs that it may use now: an approval that the operator took back counts at once. */
  metadata: ClientMetadata;
  /** Why each of its other redirect URIs is refused. */
  refused: ReadonlyMap<string, string>;
}

export interface ClientDirectory {
  /**
   * The client of this id: one that registered (RFC 7591) or, for an https URL, the one that publishes its metadata there.
   * Throws OAuthError `invalid_client` when there is none, or none that can be used, and says why.
   */
  find(id: string): Promise<Client>;
}

export function createClientDirectory({
  clients,
  documents,
  policy,
}: {
  clients: Pick<OAuthClients, 'find'>;
  documents: MetadataDocuments;
  policy: RedirectPolicy;
}): ClientDirectory {
  async function metadataOf(id: string): Promise<Pick<Client, 'kind' | 'metadata'>> {
    const registered = await clients.find(id);
    if (registered !== undefined) {
      return { kind: 'registered', metadata: parseClientMetadata(registered.metadata) };
    }
    if (/^https?:/i.test(id)) return { kind: 'metadata-document', metadata: await documents.read(id) };
    throw new OAuthError(
      'invalid_client',
      'The client_id is not known here. Clients that were never used are forgotten after a while: register again at /oauth/register.',
      { status: 401 },
    );
  }

  return {
    async find(id) {
      const { kind, metadata } = await metadataOf(id);
      const refused = await refusedRedirects(policy, metadata.redirect_uris);
      const redirect_uris = metadata.redirect_uris.filter((uri) => !refused.has(uri));
      if (redirect_uris.length === 0) {
        throw new OAuthError('invalid_client', [...refused.values()].join(' '), { status: 401 });
      }
      return { id, kind, metadata: { ...metadata, redirect_uris }, refused };
    },
  };
}
