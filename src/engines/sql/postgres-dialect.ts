import {
  PostgresDialect,
  PostgresQueryCompiler,
  type DataTypeNode,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import { DatabaseError, Pool, types, type PoolClient } from 'pg';
import { translatePostgresError } from './postgres-errors.ts';

/** A request that waits longer for a connection, a free one or a new one, is better told to come again. */
const CONNECT_TIMEOUT_MS = 5000;
/** No question of ours takes this long on a server that is well. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** When the server itself has gone silent and will never say that the statement took too long. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
/** Frees the locks of a process that hangs or lost its network in the middle of a transaction. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const MAX_CONNECTIONS = 10;

const INT8: number = types.builtins.INT8;

/** Column types of the migrations that Postgres says otherwise. */
const COLUMN_TYPES: Record<string, string> = {
  // By code points, as SQLite compares: the order of lists must not depend on the locale of the database.
  text: 'text collate "C"',
  blob: 'bytea',
};

class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(COLUMN_TYPES[node.dataType] ?? node.dataType);
  }
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): Compiler {
    return new Compiler();
  }
}

/**
 * A pool of connections, opened when they are needed and opened anew after the server was away.
 * @param url as of libpq: `postgres://user:password@host:5432/database?sslmode=verify-full`
 * @param limits `migrations`: takes no statement for too slow, since another process may be migrating
 */
export function createPostgresDialect(url: string, limits: 'service' | 'migrations'): PostgresDialect {
  const limited = limits === 'service';
  const pool = new Pool({
    connectionString: url,
    application_name: 'vitrine',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
    ...(limited
      ? {
          statement_timeout: STATEMENT_TIMEOUT_MS,
          query_timeout: ANSWER_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }
      : {}),
  });
  // A connection that breaks has its query fail, which is where it is told; an event nobody hears ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Dialect({ pool: adapt(pool) });
}

/** Revisions, sizes and counts are 64 bits wide there and far below 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === INT8 && format !== 'binary') return Number;
  return types.getTypeParser(oid, format);
}

/** What Kysely asks of a pool, with values and errors as the ports have them. */
function adapt(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return adaptClient(await pool.connect());
      } catch (error) {
        throw translatePostgresError(error);
      }
    },
  };
}

function adaptClient(client: PoolClient): PostgresPoolClient {
  let usable = true;
  async function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    try {
      return await client.query(sql, parameters.map(bind));
    } catch (error) {
      // What the server refuses leaves the connection as it was; anything else may have left it in the middle.
      usable &&= error instanceof DatabaseError;
      throw translatePostgresError(error);
    }
  }
  return {
    query: query as <Row>(sql: string, parameters: readonly unknown[]) => Promise<PostgresQueryResult<Row>>,
    release: (destroy) => client.release(destroy === true || !usable),
  } as PostgresPoolClient;
}

/** Postgres has no U+0000 in text, which other engines store; this is what Unicode has for a character that is lost. */
function bind(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
