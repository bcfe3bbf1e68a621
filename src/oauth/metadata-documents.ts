import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { parseClientMetadata, type ClientMetadata } from './client-metadata.ts';
import { DocumentError, type FetchDocument } from './fetch-document.ts';
import { OAuthError } from './oauth-error.ts';

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document). */
export interface MetadataDocuments {
  /** Metadata of the client whose id is this URL. Throws OAuthError `invalid_client`. */
  read(clientId: string): Promise<ClientMetadata>;
}

const MIN_CACHE_SECONDS = 5 * 60;
const MAX_CACHE_SECONDS = 24 * 60 * 60;
/** RFC 5861 §4, `stale-if-error`; a document that says something else counts at once. */
const MAX_STALE_SECONDS = 7 * 24 * 60 * 60;
/** A failure is remembered, or a wrong id would make this server call another one as often as a stranger likes. */
const FAILURE_SECONDS = 60;
const MAX_CACHED = 1000;
/** Of one host, whatever the port, so that this server can be made neither to flood it nor to look for its open ports. */
const MAX_FETCHES_PER_MINUTE = 20;
const MAX_ID_CHARACTERS = 1000;

export function createMetadataDocuments(fetchDocument: FetchDocument, now: () => Date): MetadataDocuments {
  const clock = { max: MAX_CACHED, perf: { now: () => now().getTime() }, ttlResolution: 0 };
  const known = new LRUCache<string, ClientMetadata>(clock);
  /** The last that was right: while a host is down its clients go on. */
  const lastRight = new LRUCache<string, ClientMetadata>({ ...clock, ttl: MAX_STALE_SECONDS * 1000 });
  const failed = new LRUCache<string, OAuthError>({ ...clock, ttl: FAILURE_SECONDS * 1000 });
  const reading = new Map<string, Promise<ClientMetadata>>();
  const fetches = new RateLimiterMemory({ points: MAX_FETCHES_PER_MINUTE, duration: 60 });

  async function fetchMetadata(url: URL): Promise<ClientMetadata> {
    await fetches.consume(url.hostname).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw invalid(`Too many metadata documents of ${url.hostname} were asked for; try again in a minute.`);
    });
    try {
      const { body, maxAgeSeconds } = await fetchDocument(url);
      const metadata = checkDocument(url.href, body);
      const seconds = Math.min(Math.max(maxAgeSeconds ?? 0, MIN_CACHE_SECONDS), MAX_CACHE_SECONDS);
      known.set(url.href, metadata, { ttl: seconds * 1000 });
      lastRight.set(url.href, metadata);
      return metadata;
    } catch (error) {
      const stale = error instanceof DocumentError ? lastRight.get(url.href) : undefined;
      if (stale !== undefined) {
        known.set(url.href, stale, { ttl: FAILURE_SECONDS * 1000 });
        return stale;
      }
      const failure = explain(error, url.href);
      failed.set(url.href, failure);
      throw failure;
    }
  }

  return {
    async read(clientId) {
      const url = requireDocumentUrl(clientId);
      const cached = known.get(clientId);
      if (cached !== undefined) return cached;
      const failure = failed.get(clientId);
      if (failure !== undefined) throw failure;
      const under = reading.get(clientId) ?? fetchMetadata(url).finally(() => reading.delete(clientId));
      reading.set(clientId, under);
      return under;
    },
  };
}

/** The draft's §3: https, with a path, and one spelling only, because ids are compared as strings. */
function requireDocumentUrl(id: string): URL {
  const url = URL.parse(id);
  const plain = url !== null && url.href === id && id.length <= MAX_ID_CHARACTERS;
  const harmless = url?.username === '' && url.password === '' && !id.includes('#') && !id.includes('?');
  if (plain && harmless && url.protocol === 'https:' && url.pathname !== '/') return url;
  throw invalid(
    'A client_id that is a URL must be https with a path, without user, query, fragment or dot segments, in its normal spelling.',
  );
}

/** The draft's §4.1. */
function checkDocument(id: string, document: unknown): ClientMetadata {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw invalid(`The document at ${id} is not a JSON object.`);
  }
  const { client_id, token_endpoint_auth_method: method } = document as Record<string, unknown>;
  if (client_id !== id) {
    throw invalid(`The document at ${id} must have exactly this URL as its client_id.`);
  }
  if ('client_secret' in document || 'client_secret_expires_at' in document) {
    throw invalid(`The document at ${id} must not have a client_secret: everybody can read it.`);
  }
  if (method !== undefined && method !== 'none') {
    throw invalid(
      `The document at ${id} must have "none" as its token_endpoint_auth_method: clients are public here.`,
    );
  }
  return parseClientMetadata(document);
}

function explain(error: unknown, id: string): OAuthError {
  if (error instanceof DocumentError)
    return invalid(`The document at ${id} cannot be read: ${error.message}.`);
  if (error instanceof OAuthError) {
    return error.error === 'invalid_client'
      ? error
      : invalid(`The document at ${id} is refused: ${error.message}`);
  }
  throw error;
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_client', description, { status: 401 });
}
