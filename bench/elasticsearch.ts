import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@elastic/elasticsearch';
import { startElasticsearch } from '../scripts/engines/elasticsearch-server.ts';
import type { TextQuery } from '../src/domain/query.ts';
import { parseQuery } from '../src/domain/text.ts';
import { createClient } from '../src/engines/elasticsearch/client.ts';
import { searchRequest } from '../src/engines/elasticsearch/search-request.ts';
import { ms, printTable, ratio, sideBySideUnderLoad } from './measure.ts';
import { fill, getJson, KINDS, type Kind } from './search.ts';
import { startServer, type RunningServer } from './server.ts';

const REQUESTS = 256;
const CONCURRENCIES = [1, 16];
const INDEX = 'vitrine-bench';

/**
 * REST search over Elasticsearch beside the bare client that sends it the same query, at each concurrency. Starts a real
 * Elasticsearch, with Java 21 or newer.
 */
export async function benchElasticsearch(size: number): Promise<void> {
  const elasticsearch = await startElasticsearch({
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    const { url } = elasticsearch;
    await fill(dataDir, size, { elasticsearch: { url, index: INDEX }, wordsOnly: true });
    const server = await startServer(dataDir, { ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX: INDEX });
    const client = createClient({ url });
    try {
      const rows: string[][] = [];
      for (const concurrency of CONCURRENCIES) {
        for (const kind of KINDS) rows.push(await compare(server, client, kind, concurrency));
      }
      process.stdout.write(`${size.toLocaleString('en')} screens\n\n`);
      printTable(
        [
          'question',
          'at a time',
          'REST p50',
          'REST p99',
          'REST a second',
          'bare client p50',
          'bare client a second',
          'REST adds',
          'REST / bare',
        ],
        rows,
      );
    } finally {
      await client.close();
      await server.stop();
    }
  } finally {
    await elasticsearch.close();
    await rm(dataDir, { recursive: true });
  }
}

async function compare(
  server: RunningServer,
  client: Client,
  kind: Kind,
  concurrency: number,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const { rest, bare } = await sideBySideUnderLoad(
    { concurrency, requests: REQUESTS },
    {
      rest: (round) => getJson(agent, server, kind.question(2 * round)),
      bare: (round) =>
        client.search({ index: INDEX, ...searchRequest(queryOf(kind.question(2 * round + 1))) }),
    },
  );
  agent.destroy();
  return [
    kind.name,
    String(concurrency),
    ms(rest.p50),
    ms(rest.p99),
    rest.perSecond.toFixed(0),
    ms(bare.p50),
    bare.perSecond.toFixed(0),
    ms(rest.p50 - bare.p50),
    ratio(rest.p50, bare.p50),
  ];
}

/** What the REST API makes of the question: one more than a page. */
function queryOf({ q, filter }: ReturnType<Kind['question']>): TextQuery {
  const terms = parseQuery(q ?? '');
  const order = terms.length > 0 ? ({ by: 'relevance', offset: 0 } as const) : ({ by: 'newest' } as const);
  return { terms, filter, limit: 21, order };
}
