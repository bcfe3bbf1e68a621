import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTENT_TYPES, PRIVATE_PREFIX, isImageKey } from '../../ports/image-store.ts';

export interface Download {
  key: string;
  expiresAt: Date;
  filename: string;
  contentType: string;
}

/** What an address below the storage URL asks for. */
export type ResolvedFile =
  | { kind: 'public'; key: string; contentType: string }
  | { kind: 'download'; key: string; contentType: string; filename: string }
  /** `invalid`: unsigned, or changed after it was signed. */
  | { kind: 'refused'; reason: 'expired' | 'invalid' };

// So that a signature of this kind can never stand for anything else that the same secret signs.
const PURPOSE = 'vitrine download 1';

/** Query string of a signed address, without the question mark. */
export function signDownloadQuery(secret: Uint8Array, download: Download): string {
  const expires = String(Math.floor(download.expiresAt.getTime() / 1000));
  const { key, filename, contentType } = download;
  const signature = sign(secret, [key, expires, filename, contentType]).toString('base64url');
  return new URLSearchParams({ expires, filename, type: contentType, signature }).toString();
}

/**
 * Decides what an address below the storage URL may be answered with.
 *
 * @param path what follows the storage URL and a slash, as sent: keys need no percent-encoding, so nothing is decoded
 * @returns undefined when the path is no image key
 */
export function resolveFile(
  secret: Uint8Array,
  path: string,
  query: URLSearchParams,
  now: Date,
): ResolvedFile | undefined {
  if (!isImageKey(path)) return undefined;
  if (query.has('signature')) return verifySignedUrl(secret, path, query, now);
  if (path.startsWith(PRIVATE_PREFIX)) return { kind: 'refused', reason: 'invalid' };
  const ending = path.slice(path.lastIndexOf('.') + 1) as keyof typeof CONTENT_TYPES;
  return { kind: 'public', key: path, contentType: CONTENT_TYPES[ending] };
}

/** Checks the signature first, so that `expired` is said only of an address that was once good. */
export function verifySignedUrl(
  secret: Uint8Array,
  key: string,
  query: URLSearchParams,
  now: Date,
): ResolvedFile {
  const [expires, filename, contentType, signature] = ['expires', 'filename', 'type', 'signature'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string];
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, [key, expires, filename, contentType]);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: 'refused', reason: 'invalid' };
  }
  if (now.getTime() >= Number(expires) * 1000) return { kind: 'refused', reason: 'expired' };
  return { kind: 'download', key, contentType, filename };
}

// JSON keeps the parts apart: ["a","bc"] and ["ab","c"] are signed differently.
function sign(secret: Uint8Array, parts: readonly string[]): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([PURPOSE, ...parts]))
    .digest();
}
