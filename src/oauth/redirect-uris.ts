/** What kind of place a redirect URI is. */
export type RedirectKind =
  /** `http` to this machine, on whatever port (RFC 8252 §7.3); every native client may use it. */
  | 'loopback'
  /** `https` to some host. */
  | 'hosted'
  /** A scheme that an app on the user's machine claims (RFC 8252 §7.1). */
  | 'private-use';

export type CheckedRedirectUri = { kind: RedirectKind } | { fault: string };

const MAX_URI_CHARACTERS = 2000;
/** As the client wrote it, before a URL parser makes `127.1`, `2130706433` or `localhost\@evil.example` look harmless. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::[1-9]\d{0,4})?(?:[/?]|$)/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Visible ASCII without what URIs must encode (RFC 3986 §2) and without the apostrophe, which ends a shell's quotes. */
const URI_CHARACTERS = /^[!#-&(-;=?-[\]_a-z~]+$/;
/** Schemes that a browser runs, reads or sends by itself; no app can be behind them. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** Judges a redirect URI by its form alone; a fault is a clause that goes on from the URI. */
export function checkRedirectUri(uri: string): CheckedRedirectUri {
  if (uri.length > MAX_URI_CHARACTERS) return { fault: `is longer than ${MAX_URI_CHARACTERS} characters` };
  if (!URI_CHARACTERS.test(uri)) {
    return { fault: 'has characters that a URI cannot have; percent-encode them' };
  }
  const url = URL.parse(uri);
  if (url === null) return { fault: 'is not an absolute URI' };
  if (uri.includes('#')) return { fault: 'has a fragment, which a redirect URI cannot have' };
  if (FORBIDDEN_SCHEMES.has(url.protocol))
    return { fault: `has the scheme ${url.protocol}, which is refused` };
  const authority = /^[^:/?]+:\/\/([^/?]*)/.exec(uri)?.[1] ?? '';
  if (authority.includes('@')) return { fault: 'has a user name or password, which is refused' };
  if (url.protocol === 'http:') {
    return LOOPBACK.test(uri)
      ? { kind: 'loopback' }
      : {
          fault:
            'is plain http to a host that is not loopback; use https, or http to 127.0.0.1, [::1] or localhost',
        };
  }
  if (url.protocol !== 'https:') return { kind: 'private-use' };
  if (LOOPBACK_HOSTS.has(url.hostname)) return { fault: 'is https to loopback; use http there' };
  if (url.host !== authority.replace(/:443$/, '')) {
    return { fault: `names its host in an unusual way; write it as https://${url.host}` };
  }
  if (url.hostname.endsWith('.')) return { fault: 'has a host that ends with a dot' };
  return { kind: 'hosted' };
}

/** The host, with port, that the browser is sent to; the scheme where there is none that a person would recognise. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.host : url.protocol;
}

/**
 * May a client with the registered URI be answered at the requested one? As exact strings (RFC 9700 §2.1), but the port of
 * a loopback address is free (RFC 8252 §7.3): native clients take whichever is. The loopback names do not stand for each other.
 */
export function redirectMatches(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const checked = checkRedirectUri(requested);
  if (!('kind' in checked) || checked.kind !== 'loopback') return false;
  const [known, asked] = [URL.parse(registered), URL.parse(requested)];
  if (known === null || asked === null || known.protocol !== 'http:') return false;
  known.port = '';
  asked.port = '';
  return known.href === asked.href;
}
