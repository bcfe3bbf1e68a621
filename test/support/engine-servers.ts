import { setup as findElasticsearch } from './elasticsearch.ts';
import { startPostgres } from './postgres.ts';
import { S3_CREDENTIALS, startS3 } from './s3.ts';

/** Before a run of the suites: starts the servers that every service of the run keeps its library on. */
export async function setup(): Promise<() => Promise<void>> {
  const dropElasticsearch = await findElasticsearch();
  const postgres = await startPostgres();
  const s3 = await startS3();
  Object.assign(process.env, S3_CREDENTIALS, {
    VITRINE_TEST_DATABASE_URL: postgres.url,
    VITRINE_TEST_S3_ENDPOINT: s3.endpoint,
  });
  return async () => {
    await Promise.all([postgres.close(), s3.close(), dropElasticsearch?.()]);
  };
}
