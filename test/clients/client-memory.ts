import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

type DiscoveryState = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];

/** What an app built on an MCP SDK keeps of one connection; both generations of the SDK ask for it in this form. */
export interface ClientMemory extends OAuthClientProvider {
  /** Where the SDK has sent the user, latest last. */
  readonly sentTo: URL[];
  client?: StoredOAuthClientInformation;
  stored?: StoredOAuthTokens;
}

/** @param clientMetadataUrl of the client's metadata document, when it has one */
export function createClientMemory({
  redirectUrl,
  clientMetadataUrl,
}: {
  redirectUrl: string;
  clientMetadataUrl?: string;
}): ClientMemory {
  const sentTo: URL[] = [];
  const state = crypto.randomUUID();
  let verifier = '';
  let discovery: DiscoveryState | undefined;
  const memory: ClientMemory = {
    sentTo,
    redirectUrl,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Drawing Board',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => memory.client,
    saveClientInformation: (client) => void (memory.client = client),
    tokens: () => memory.stored,
    saveTokens: (tokens) => void (memory.stored = tokens),
    redirectToAuthorization: (url) => void sentTo.push(url),
    saveCodeVerifier: (value) => void (verifier = value),
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => void (discovery = found),
    discoveryState: () => discovery,
    invalidateCredentials(what) {
      if (what === 'all' || what === 'client') delete memory.client;
      if (what === 'all' || what === 'tokens') delete memory.stored;
    },
  };
  return memory;
}
