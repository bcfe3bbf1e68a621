import { QdrantClient } from '@qdrant/js-client-rest';
import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';

/** What the engine is called where people read of it. */
const ENGINE = 'The vector index';

/** Writes of large batches may take long while Qdrant is busy. */
export const WRITE_TIMEOUT_MS = 30_000;
/** Longer than any sound answer takes; somebody waits for it. */
export const QUERY_TIMEOUT_MS = 3000;

export interface QdrantAddress {
  /** http or https; a path is kept as the prefix of every call. */
  url: string;
  apiKey?: string;
}

/** A client that says what the URL says, and nothing before it is asked to. */
export function connect({ url, apiKey }: QdrantAddress, timeoutMs: number): QdrantClient {
  const { origin, port, protocol, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, '');
  return new QdrantClient({
    url: origin,
    // The client takes an absent port for 6333; a URL without one means its scheme's.
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(prefix === '' ? {} : { prefix }),
    timeout: timeoutMs,
    checkCompatibility: false,
    headers: {
      // Unpacking gzip stalls answers of ten or more hits for 40 ms.
      'accept-encoding': 'identity',
      ...(apiKey === undefined ? {} : { 'api-key': apiKey }),
    },
  });
}

/** The answer says that there is no such collection or alias. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Something of this name is there already. */
export function isTaken(error: unknown): boolean {
  return statusOf(error) === 409;
}

/**
 * Runs one call, and says in the port's terms what went wrong: a refused key is a ConfigurationError, whatever keeps
 * Qdrant from answering an EngineUnavailableError with the reason as its cause. Missing and taken names come through.
 */
export async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 409) throw error;
    if (status === 401 || status === 403) {
      throw new ConfigurationError(`Qdrant refuses QDRANT_API_KEY: ${reasonOf(error)}`, { cause: error });
    }
    // Any other 4xx says that the call itself is wrong, which is a defect here and no outage there.
    if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new Error(`Qdrant does not take the call: ${reasonOf(error)}`, { cause: error });
    throw unavailable(status === undefined ? unreached(error) : reasonOf(error), error);
  }
}

/** @param reason for the log; people are told that the index cannot be reached */
export function unavailable(reason: string, cause?: unknown): EngineUnavailableError {
  return new EngineUnavailableError(ENGINE, { cause: new Error(`Qdrant: ${reason}`, { cause }) });
}

function unreached(error: unknown): string {
  if (error instanceof Error && error.name === 'QdrantClientTimeoutError') return 'no answer in time';
  return 'no connection';
}

function statusOf(error: unknown): number | undefined {
  const isAnswer = error instanceof Error && 'status' in error && typeof error.status === 'number';
  return isAnswer ? Number(error.status) : undefined;
}

/** The recorded bodies: `{status: {error}}` as JSON, or plain text where the key is refused. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data = 'data' in error ? error.data : undefined;
  if (typeof data === 'string') return data;
  const status = (data as { status?: { error?: unknown } } | undefined)?.status;
  return typeof status?.error === 'string' ? status.error : error.message;
}
