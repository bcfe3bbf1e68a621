import { startElasticsearch } from '../../scripts/engines/elasticsearch-server.ts';

/** The environment variable that tells the tests of a run where their Elasticsearch is. */
const TEST_URL = 'VITRINE_TEST_ELASTICSEARCH_URL';

/** Before a run: finds Elasticsearch where ELASTICSEARCH_URL says, or starts one for the run. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env[TEST_URL] ?? process.env['ELASTICSEARCH_URL'];
  const server = given === undefined ? await startElasticsearch() : undefined;
  process.env[TEST_URL] = given ?? server?.url;
  return server && (() => server.close());
}

export function elasticsearchUrl(): string {
  const url = process.env[TEST_URL];
  if (url === undefined) throw new Error('Tests of Elasticsearch run by `npm run test:engines`.');
  return url;
}

let indexes = 0;

/** An alias that no other test uses. */
export function freshIndexName(): string {
  indexes += 1;
  return `vitrine-test-${process.pid}-${Date.now()}-${indexes}`;
}

/** The indexes whose names begin with this. */
export async function indexesOf(name: string): Promise<string[]> {
  return Object.keys(await askJson(`/${name}*`));
}

/** Drops every index whose name begins with this. */
export async function dropIndexes(name: string): Promise<void> {
  for (const index of await indexesOf(name)) await askJson(`/${index}`, { method: 'DELETE' });
}

/** Asks Elasticsearch itself, past the engine. */
export async function askJson(path: string, init: { method?: string; body?: object } = {}): Promise<object> {
  const response = await fetch(`${elasticsearchUrl()}${path}`, {
    ...(init.method === undefined ? {} : { method: init.method }),
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    headers: { 'content-type': 'application/json' },
  });
  return (await response.json()) as object;
}
