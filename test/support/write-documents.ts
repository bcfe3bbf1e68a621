// Run as a process of its own: writes documents one by one. Arguments: the index file, or the address of an Elasticsearch
// followed by the name of the index, then documents as JSON.
import type { ScreenDocument } from '../../src/ports/search-index.ts';

const [where = '', ...documents] = process.argv.slice(2);
const index = await open();
for (const json of documents) {
  const document: ScreenDocument = JSON.parse(json);
  await index.upsert([document]);
}
await index.close();

async function open() {
  if (!where.startsWith('http')) {
    const { createSqliteSearch } = await import('../../src/engines/sqlite-search/index.ts');
    return createSqliteSearch({ file: where });
  }
  const { createElasticsearchSearch } = await import('../../src/engines/elasticsearch/index.ts');
  const slash = where.lastIndexOf('/');
  return createElasticsearchSearch({ url: where.slice(0, slash), index: where.slice(slash + 1) });
}
