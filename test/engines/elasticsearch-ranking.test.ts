import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseQuery } from '../../src/domain/text.ts';
import { createElasticsearchSearch } from '../../src/engines/elasticsearch/index.ts';
import { createSqliteSearch } from '../../src/engines/sqlite-search/index.ts';
import type { SearchHit } from '../../src/ports/search-index.ts';
import { dropIndexes, elasticsearchUrl, freshIndexName } from '../support/elasticsearch.ts';
import { sampleDocuments } from '../support/sample-documents.ts';

const TOP = 10;
/** As people type them, misspelt and unfinished ones among them; each matches more of the sample than fit the top. */
const QUERIES = (
  'sign in|password|settings|search|delete|cancel|continue|next|home|new|edit|user|name|date|total|order|help|language|' +
  'theme|report|download|upload|file|share|log out|step|back|skip|pay|card|plan|month|learn more|setings|serch|acount|' +
  'model|run|experiment|flow|node|page|image|book|author|add new|created|status|time|wee'
).split('|');

it('ranks the sample as the embedded engine does', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-ranking-'));
  const name = freshIndexName();
  const embedded = await createSqliteSearch({ file: join(dir, 'index.db') });
  const elasticsearch = createElasticsearchSearch({ url: elasticsearchUrl(), index: name });
  const documents = await sampleDocuments();
  await embedded.upsert(documents);
  await elasticsearch.upsert(documents);

  const overlaps: number[] = [];
  for (const q of QUERIES) {
    const order = { by: 'relevance', offset: 0 } as const;
    const question = { terms: parseQuery(q), filter: {}, limit: 1000, order };
    const [one, other] = await Promise.all([embedded.search(question), elasticsearch.search(question)]);
    expect({ q, total: other.total }).toEqual({ q, total: one.total });
    expect(one.total, q).toBeGreaterThan(TOP);
    overlaps.push((share(one.hits, other.hits) + share(other.hits, one.hits)) / 2);
  }
  expect(overlaps).toHaveLength(50);
  const mean = overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length;
  process.stdout.write(
    `Mean overlap of the top ten of the two engines over 50 queries: ${mean.toFixed(3)}\n`,
  );
  expect(mean).toBeGreaterThan(0.8);

  await Promise.all([embedded.close(), elasticsearch.close()]);
  await dropIndexes(name);
  await rm(dir, { recursive: true });
});

/** Which part of one ranking's top the other ranks among its own, where whatever ties with the last of it is in it. */
function share(ranking: readonly SearchHit[], other: readonly SearchHit[]): number {
  const last = other[TOP - 1]?.score ?? 0;
  const reach = new Set(other.filter((hit) => hit.score >= last).map((hit) => hit.id));
  return ranking.slice(0, TOP).filter((hit) => reach.has(hit.id)).length / TOP;
}
