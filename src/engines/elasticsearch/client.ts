import { Client, errors } from '@elastic/elasticsearch';
import { EngineUnavailableError } from '../../domain/errors.ts';

/** How to reach Elasticsearch. */
export interface ElasticsearchSettings {
  /** http or https; a user and password in it are used, unless there is an API key. */
  url: string;
  apiKey?: string;
  /** PEM text of the authority that signed the server's certificate, where the system does not know it. */
  ca?: string;
}

/** A search that takes longer is of no use to whoever asked. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Waits before a request that met a connection cut or a node on its way down or up is sent again. */
const RETRY_AFTER_MS = [100, 400];

/** Connects at the first request. */
export function createClient({ url, apiKey, ca }: ElasticsearchSettings): Client {
  return new Client({
    node: url,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    // The client would wait for seconds before it tries again; `attempt` does so sooner.
    maxRetries: 0,
    enableMetaHeader: false,
  });
}

/**
 * Runs requests that may be sent twice, and again where that may help. Throws EngineUnavailableError, its cause naming
 * what is wrong, when Elasticsearch is down, slow, overloaded or still starting, refuses the credentials, or is something
 * else; what is left is a defect and thrown with Elasticsearch's name for it. No error holds the request: the question
 * and the key are in it.
 */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (const waitMs of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw translate(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

/** A timeout is none: whoever asked has waited long enough. */
function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isUnavailable(error);
  return error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError;
}

/** Too many requests, and what proxies and starting or stopping nodes answer. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** An index that is not there may be one that was just swapped for another. */
function isUnavailable(error: errors.ResponseError): boolean {
  return (
    UNAVAILABLE_STATUSES.has(error.statusCode ?? 0) || typeOf(error.body) === 'index_not_found_exception'
  );
}

function translate(error: unknown): unknown {
  if (error instanceof errors.ResponseError) {
    const status = error.statusCode ?? 0;
    const type = typeOf(error.body) ?? 'no error type';
    if (status === 401 || status === 403) {
      return unavailable(
        `Elasticsearch refuses access (${status}, ${type}). ELASTICSEARCH_API_KEY needs all privileges on the index, its alias and the names that begin with it.`,
      );
    }
    const answer = `Elasticsearch answered ${status}: ${type}`;
    return isUnavailable(error) ? unavailable(answer) : new Error(answer);
  }
  if (error instanceof errors.ProductNotSupportedError) {
    return unavailable('What answers at ELASTICSEARCH_URL is not Elasticsearch.');
  }
  if (error instanceof errors.ElasticsearchClientError) return unavailable(`${error.name}: ${error.message}`);
  return error;
}

function unavailable(reason: string): EngineUnavailableError {
  return new EngineUnavailableError('The search index', { cause: new Error(reason) });
}

/** The type that Elasticsearch gives an error in the body of its answer. */
function typeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : undefined;
}

/** Did Elasticsearch answer with this type of error? */
export function isErrorOfType(error: unknown, type: string): boolean {
  return error instanceof errors.ResponseError && typeOf(error.body) === type;
}
