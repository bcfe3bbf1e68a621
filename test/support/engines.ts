import { dropIndexes, freshIndexName } from './elasticsearch.ts';
import { createDatabase, dropDatabase } from './postgres.ts';
import { createBucket, S3_CREDENTIALS, S3_REGION } from './s3.ts';

/** Where a service under test keeps its library, when that is not in files of its own. */
export interface TestEngines {
  settings: Record<string, string>;
  close(): Promise<void>;
}

/**
 * A database, an index and a bucket for one service, on the servers that the run was given (engine-servers.ts); a run without
 * them tests the embedded engines.
 */
export async function openTestEngines(): Promise<TestEngines> {
  const {
    VITRINE_TEST_DATABASE_URL: server,
    VITRINE_TEST_S3_ENDPOINT: endpoint,
    VITRINE_TEST_ELASTICSEARCH_URL: elasticsearch,
  } = process.env;
  const database = server === undefined ? undefined : await createDatabase(server);
  const bucket = endpoint === undefined ? undefined : await createBucket(endpoint);
  const index = freshIndexName();
  return {
    settings: {
      ...(elasticsearch === undefined
        ? {}
        : { ELASTICSEARCH_URL: elasticsearch, ELASTICSEARCH_INDEX: index }),
      ...(database === undefined ? {} : { DATABASE_URL: database }),
      ...(endpoint === undefined || bucket === undefined
        ? {}
        : { ...S3_CREDENTIALS, S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION }),
    },
    async close() {
      if (elasticsearch !== undefined) await dropIndexes(index);
      if (server !== undefined && database !== undefined) await dropDatabase(server, database);
    },
  };
}
