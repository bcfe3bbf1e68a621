// Run as a process of its own: writes documents one by one. Arguments: the index file, then documents as JSON.
import { createSqliteSearch } from '../../src/engines/sqlite-search/index.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';

const [file = '', ...documents] = process.argv.slice(2);
const index = await createSqliteSearch({ file });
for (const json of documents) {
  const document: ScreenDocument = JSON.parse(json);
  await index.upsert([document]);
}
await index.close();
