import { benchElasticsearch } from './elasticsearch.ts';
import { benchIngest } from './ingest.ts';
import { benchMcp } from './mcp.ts';
import { benchMcpLoad } from './mcp-load.ts';
import { benchOAuth } from './oauth.ts';
import { benchReindex } from './reindex.ts';
import { benchSearch } from './search.ts';
import { benchVectors } from './vectors.ts';

// Prints the figures that README quotes. Timings of one machine at one time: what counts are the ratios, which were
// measured side by side.
const SECTIONS: Record<string, () => Promise<void>> = {
  ingest: () => benchIngest(),
  search: () => benchSearch([10_000, 100_000]),
  elasticsearch: () => benchElasticsearch(100_000),
  vectors: () => benchVectors(100_000),
  reindex: () => benchReindex(100_000),
  oauth: () => benchOAuth(),
  mcp: () => benchMcp(),
  'mcp-load': () => benchMcpLoad(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}.\n`,
  );
  process.exit(64);
}
for (const [name, bench] of Object.entries(SECTIONS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`## ${name}\n\n`);
  await bench();
}
