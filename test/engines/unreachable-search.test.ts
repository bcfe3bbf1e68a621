import { execFile as execFileCallback } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../src/domain/errors.ts';
import { parseQuery } from '../../src/domain/text.ts';
import { createElasticsearchSearch } from '../../src/engines/elasticsearch/index.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { environmentWith } from '../support/environment.ts';

const execFile = promisify(execFileCallback);

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** What stands at the other end instead of Elasticsearch. */
async function listen(stub: Server): Promise<number> {
  server = stub;
  stub.listen(0, 'localhost');
  await once(stub, 'listening');
  return (stub.address() as AddressInfo).port;
}

function search(index: SearchIndex): Promise<unknown> {
  const order = { by: 'newest' } as const;
  return index.search({ terms: parseQuery('confidential'), filter: {}, limit: 1, order });
}

async function errorOf(url: string, work: (index: SearchIndex) => Promise<unknown>): Promise<unknown> {
  const index = createElasticsearchSearch({ url, apiKey: 'a-secret-key', index: 'vitrine-screens' });
  try {
    return await work(index).then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    await index.close();
  }
}

const asElasticsearch: (status: number, error: object) => RequestListener =
  (status, error) => (_, response) => {
    response.writeHead(status, {
      'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
      'x-elastic-product': 'Elasticsearch',
    });
    response.end(JSON.stringify({ error, status }));
  };
const failure = (type: string, reason: string) => ({ type, reason, root_cause: [] });

const KINDS: [string, RequestListener | undefined, RegExp][] = [
  ['nothing listens', undefined, /ECONNREFUSED/],
  [
    'the key is refused',
    asElasticsearch(401, failure('security_exception', 'unable to authenticate a-secret-key')),
    /refuses access \(401, security_exception\).*ELASTICSEARCH_API_KEY/,
  ],
  [
    'the key does not suffice',
    asElasticsearch(403, failure('security_exception', 'is unauthorized')),
    /refuses access \(403/,
  ],
  [
    'it starts, or is too busy',
    asElasticsearch(503, failure('cluster_block_exception', 'not yet')),
    /503: cluster_block_exception/,
  ],
  ['it is something else', (_, response) => response.end('{}'), /is not Elasticsearch/],
  ['the connection is cut', (request) => request.socket.destroy(), /ConnectionError/],
  ['no answer comes', () => {}, /TimeoutError/],
];

describe('Elasticsearch out of reach', () => {
  it.each(KINDS)('%s: unavailable, and the cause is told', async (_, answer, cause) => {
    const port = answer === undefined ? 1 : await listen(createServer(answer));
    const error = await errorOf(`http://localhost:${port}`, search);
    expect(error).toBeInstanceOf(EngineUnavailableError);
    expect((error as Error).cause).toMatchObject({ message: expect.stringMatching(cause) as string });
    // What an error log writes holds neither the question nor the key.
    expect(inspect(error, { depth: 20 })).not.toMatch(/confidential|a-secret-key/);
  });

  it('opens and closes without asking anything', async () => {
    let requests = 0;
    const port = await listen(createServer(() => (requests += 1)));
    const index = createElasticsearchSearch({ url: `http://localhost:${port}`, index: 'vitrine-screens' });
    await index.upsert([]);
    await index.close();
    expect(requests).toBe(0);
  });

  it('calls a request that Elasticsearch cannot read a defect, by its own name for it', async () => {
    const port = await listen(
      createServer(asElasticsearch(400, failure('parsing_exception', 'confidential'))),
    );
    const error = await errorOf(`http://localhost:${port}`, (index) => index.count());
    expect(error).not.toBeInstanceOf(EngineUnavailableError);
    expect(String(error)).toBe('Error: Elasticsearch answered 400: parsing_exception');
  });

  it('sends the key, and trusts whom NODE_EXTRA_CA_CERTS names', async () => {
    const keys: (string | undefined)[] = [];
    const certificate = selfSignedCertificate();
    const answer = asElasticsearch(401, failure('security_exception', 'no'));
    const stub = createTlsServer(certificate, (request, response) => {
      keys.push(request.headers.authorization);
      answer(request, response);
    });
    const port = await listen(stub);
    const dir = await mkdtemp(join(tmpdir(), 'vitrine-tls-'));
    await writeFile(join(dir, 'ca.pem'), certificate.cert);
    const module = join(import.meta.dirname, '../../src/engines/elasticsearch/index.ts');
    const script = `
      const { createElasticsearchSearch } = await import(${JSON.stringify(module)});
      const index = createElasticsearchSearch({ url: 'https://localhost:${port}', apiKey: 'k', index: 'i' });
      console.log(await index.count().catch((error) => error.cause.message));
      await index.close();`;
    const ask = async (env: Record<string, string>) => {
      const options = { env: environmentWith(env) };
      return (await execFile(process.execPath, ['--input-type=module', '-e', script], options)).stdout;
    };
    expect(await ask({})).toMatch(/self-signed certificate/);
    expect(keys).toEqual([]);
    expect(await ask({ NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem') })).toMatch(/refuses access/);
    expect(keys).toEqual(['ApiKey k']);
    await rm(dir, { recursive: true });
  });
});
