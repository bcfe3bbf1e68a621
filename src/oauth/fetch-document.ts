import { lookup } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import ipaddr from 'ipaddr.js';

/** What a metadata document's host answered. */
export interface FetchedDocument {
  body: unknown;
  /** Of its Cache-Control. */
  maxAgeSeconds?: number;
}

/** Throws DocumentError. */
export type FetchDocument = (url: URL) => Promise<FetchedDocument>;

/** Why a document could not be had, as a clause without a full stop. It holds nothing of what the host answered. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

const NOT_PUBLIC = 'its host is not on the public internet';
const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches documents from public https hosts only, so that a client id cannot make this server reach into its own network:
 * every address is judged before the connection is made, literal ones too, and no redirect is followed.
 * @param settings for a network of one's own: which addresses count as public, and whose certificates are trusted
 */
export function createDocumentFetch(
  settings: { isPublic?: (address: string) => boolean; ca?: string } = {},
): FetchDocument {
  const isPublic = settings.isPublic ?? isPublicAddress;

  const resolve: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        callback(new DocumentError('its host has no address'), '', 4);
      } else if (!addresses.every(({ address }) => isPublic(address))) {
        callback(new DocumentError(NOT_PUBLIC), '', 4);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

  return async (url) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isPublic(literal)) {
      throw new DocumentError(NOT_PUBLIC);
    }
    const response = await get(url, {
      lookup: resolve,
      ...(settings.ca === undefined ? {} : { ca: settings.ca }),
    });
    return readDocument(response);
  };
}

/** What IANA allocates of IPv6; it reserves the rest, where addresses of IPv4 are embedded too (RFC 4291 §2.4, §2.5.5.1). */
const ALLOCATED_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Global unicast; loopback, private, link-local, shared and reserved ranges of the IANA registries are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(ALLOCATED_IPV6)) return false;
  return parsed.range() === 'unicast';
}

function get(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, {
    ...options,
    agent: false,
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  outgoing.on('response', resolve);
  // After an answer that leaves HTTP (101) there is nothing else.
  outgoing.on('close', () => reject(new DocumentError('its host does not answer')));
  outgoing.on('error', (error) => {
    reject(
      error instanceof DocumentError
        ? error
        : new DocumentError('its host does not answer', { cause: error }),
    );
  });
  outgoing.end();
  return promise;
}

async function readDocument(response: IncomingMessage): Promise<FetchedDocument> {
  try {
    if (response.statusCode !== 200) {
      throw new DocumentError(
        `its host answers ${response.statusCode ?? 'nothing'} and not 200; redirects are not followed`,
      );
    }
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers['content-type'] ?? '')) {
      throw new DocumentError('it is not application/json');
    }
    return {
      body: JSON.parse(await text(limited(response))) as unknown,
      ...maxAge(response.headers['cache-control']),
    };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError(error instanceof SyntaxError ? 'it is not JSON' : 'its host does not answer', {
      cause: error,
    });
  } finally {
    response.destroy();
  }
}

async function* limited(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new DocumentError(`it is over ${MAX_BYTES} bytes`);
    yield chunk;
  }
}

function maxAge(cacheControl: string | undefined): { maxAgeSeconds?: number } {
  const seconds = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  return seconds === undefined ? {} : { maxAgeSeconds: Number(seconds) };
}
