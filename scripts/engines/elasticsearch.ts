// Runs a real Elasticsearch for development until Ctrl-C, and prints the setting that names it.
import { startElasticsearch } from './elasticsearch-server.ts';

const server = await startElasticsearch({ onProgress: (line) => process.stderr.write(`${line}\n`) });
process.stdout.write(`ELASTICSEARCH_URL=${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.close().then(() => process.exit(0)));
}
