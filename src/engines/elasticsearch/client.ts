import { Client, errors } from '@elastic/elasticsearch';
import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';

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
 * Runs requests that may be sent twice, and again where that may help. Throws EngineUnavailableError when Elasticsearch is down, slow, overloaded or still starting,
 * ConfigurationError when it refuses the credentials or is something else than Elasticsearch; what is left is a defect
 * and thrown with Elasticsearch's name for it. No error holds the request, which holds the question and the key.
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
  if (error instanceof errors.ResponseError) return UNAVAILABLE_STATUSES.has(error.statusCode ?? 0);
  return error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError;
}

/** Too many requests, and what proxies and starting or stopping nodes answer. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

function translate(error: unknown): unknown {
  if (error instanceof errors.ResponseError) {
    const status = error.statusCode ?? 0;
    const type = typeOf(error.body) ?? 'no error type';
    const cause = new Error(`Elasticsearch answered ${status}: ${type}`);
    if (status === 401 || status === 403) {
      return new ConfigurationError(
        `Elasticsearch refuses access (${status}, ${type}). Check ELASTICSEARCH_API_KEY: the key needs all privileges on the index and its aliases, and to monitor the cluster.`,
      );
    }
    const unavailable = UNAVAILABLE_STATUSES.has(status) || type === 'index_not_found_exception';
    return unavailable ? new EngineUnavailableError('The search index', { cause }) : cause;
  }
  if (error instanceof errors.ProductNotSupportedError) {
    return new ConfigurationError('What answers at ELASTICSEARCH_URL is not Elasticsearch.');
  }
  if (error instanceof errors.ElasticsearchClientError) {
    return new EngineUnavailableError('The search index', {
      cause: new Error(`${error.name}: ${error.message}`),
    });
  }
  return error;
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
