import { execFile as execFileCallback } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { createElasticsearchSearch } from '../../src/engines/elasticsearch/index.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';
import { searchIndexContract } from '../contract/search-index.ts';
import { dropIndexes, freshIndexName, openElasticsearch } from '../support/elasticsearch.ts';

const execFile = promisify(execFileCallback);
const WRITE_DOCUMENTS = join(import.meta.dirname, '../support/write-documents.ts');

let server: Awaited<ReturnType<typeof openElasticsearch>>;
beforeAll(async () => {
  server = await openElasticsearch();
});
afterAll(() => server.close());

async function open() {
  const { url } = server;
  const name = freshIndexName();
  const openIndex = () => createElasticsearchSearch({ url, index: name });
  const index = openIndex();
  return {
    index,
    another: async () => openIndex(),
    async writeElsewhere(documents: readonly ScreenDocument[]) {
      const json = documents.map((document) => JSON.stringify(document));
      await execFile(process.execPath, [WRITE_DOCUMENTS, `${url}/${name}`, ...json]);
    },
    async close() {
      await index.close();
      await dropIndexes(url, name);
    },
  };
}

searchIndexContract('elasticsearch', open);
