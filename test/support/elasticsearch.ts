import { startElasticsearch, type ElasticsearchServer } from '../../scripts/engines/elasticsearch-server.ts';

/** The server that ELASTICSEARCH_URL names, else one of its own on this machine. The caller closes it. */
export async function openElasticsearch(): Promise<Pick<ElasticsearchServer, 'url' | 'close'>> {
  const url = process.env['ELASTICSEARCH_URL'];
  if (url !== undefined && url !== '') return { url, close: async () => {} };
  return startElasticsearch();
}

let indexes = 0;

/** An alias that no other test uses. */
export function freshIndexName(): string {
  indexes += 1;
  return `vitrine-test-${process.pid}-${Date.now()}-${indexes}`;
}

/** Drops every index behind names that begin with this. */
export async function dropIndexes(url: string, name: string): Promise<void> {
  const found = await fetch(`${url}/${name}*?expand_wildcards=all`);
  for (const index of Object.keys((await found.json()) as object)) {
    await fetch(`${url}/${index}`, { method: 'DELETE' });
  }
}
