import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';

const ENGINE = 'Postgres';

/**
 * Conditions that pass, by SQLSTATE or its class (PostgreSQL manual, appendix A): the server is away, starting, stopping,
 * full, a replica for the moment, or too slow; or another transaction was in the way.
 */
const PASSING = [
  '08', // connection exception
  '25006', // read-only transaction: a failover is under way
  '25P03', // idle in transaction for too long
  '40001', // serialization failure
  '40P01', // deadlock
  '53', // insufficient resources
  '55P03', // lock not available
  '57', // operator intervention: shut down, starting up, statement took too long
];

/** What only the operator can mend: refused sign-in, no such database, missing privileges. */
const OPERATORS = ['28', '3D000', '42501'];

/** Of Node's sockets and name resolution. */
const NETWORK = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // no such socket file
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The client's own words for a connection that is gone; these errors carry no code. */
const GONE = /connection terminated|connection error|timeout|not queryable|closed the connection/i;

/**
 * Tells a server that cannot answer now (EngineUnavailableError) and one that will not let us in (ConfigurationError)
 * from everything else, which is handed back as it came.
 */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OPERATORS.some((start) => code.startsWith(start))) {
    return new ConfigurationError(
      `DATABASE_URL: Postgres refuses: ${error.message}. Name a database that exists, and a user who may create tables in it.`,
      { cause: error },
    );
  }
  const passing = NETWORK.has(code) || PASSING.some((start) => code.startsWith(start));
  if (passing || (code === '' && GONE.test(error.message))) {
    return new EngineUnavailableError(ENGINE, { cause: error });
  }
  return error;
}
