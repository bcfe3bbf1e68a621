import { ConfigurationError } from '../domain/errors.ts';
import type { ApprovedRedirectUris } from '../ports/oauth-store.ts';
import { checkRedirectUri } from './redirect-uris.ts';

/** Which redirect URIs clients may have: loopback, and what the operator approved as an exact string. */
export interface RedirectPolicy {
  /** Why the URI is refused, as a sentence that names it and what would help; undefined when it is not. */
  refusal(uri: string): Promise<string | undefined>;
}

/**
 * @param configured approved by the setting, besides those in the store
 * Throws ConfigurationError when one of them can never be a redirect URI.
 */
export function createRedirectPolicy(
  configured: readonly string[],
  store: Pick<ApprovedRedirectUris, 'has'>,
): RedirectPolicy {
  for (const uri of configured) {
    const checked = checkRedirectUri(uri);
    if ('fault' in checked)
      throw new ConfigurationError(`APPROVED_REDIRECT_URIS: "${uri}" ${checked.fault}.`);
  }
  const fromSetting = new Set(configured);
  return {
    async refusal(uri) {
      const checked = checkRedirectUri(uri);
      if ('fault' in checked) return `${uri.slice(0, 200)} ${checked.fault}.`;
      if (checked.kind === 'loopback' || fromSetting.has(uri) || (await store.has(uri))) return undefined;
      return `${uri} is not approved here. An operator approves exactly this URI with: npm run clients -- approve '${uri}'`;
    },
  };
}
