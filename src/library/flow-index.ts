import { editDistance } from '../domain/edit-distance.ts';
import type { FlowRecord } from '../domain/screen.ts';
import { analyze, parseQuery, type QueryTerm, type Token } from '../domain/text.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { Embedder } from '../ports/embedder.ts';
import { composeFlowPassage, embedPassages } from './passage.ts';

/** A flow with what a search looks at. */
export interface IndexedFlow {
  flow: FlowRecord;
  tokens: readonly Token[];
  /** Of unit length; null where the model knows none of its words. */
  vector: Float32Array | null;
}

type IndexPorts = { catalogue: Catalogue; embedder: Embedder };

const BATCH_FLOWS = 1000;
/** What a flow is about is said at the beginning. */
const MAX_DESCRIPTION_CHARACTERS = 1000;

const indexes = new WeakMap<Catalogue, { revision: number; flows: Promise<IndexedFlow[]> }>();

/**
 * Every flow, newest first, read and embedded anew when the catalogue has changed. Flows are few beside screens (a
 * thousand are read in well under a second), so they need no index of their own on disk.
 */
export async function indexedFlows(ports: IndexPorts): Promise<IndexedFlow[]> {
  const revision = await ports.catalogue.revision();
  const known = indexes.get(ports.catalogue);
  if (known?.revision === revision) return known.flows;
  const flows = readFlows(ports);
  indexes.set(ports.catalogue, { revision, flows });
  flows.catch(() => indexes.delete(ports.catalogue));
  return flows;
}

async function readFlows({ catalogue, embedder }: IndexPorts): Promise<IndexedFlow[]> {
  const apps = new Map((await catalogue.apps()).map((app) => [app.id, app.name]));
  const indexed: IndexedFlow[] = [];
  let after: { capturedAt: string; id: string } | undefined;
  for (;;) {
    const page = { limit: BATCH_FLOWS, ...(after === undefined ? {} : { after }) };
    const { flows } = await catalogue.flows({}, page);
    const texts = flows.map((flow) => textOf(flow, apps.get(flow.appId)));
    const steps = await catalogue.screens([...new Set(flows.flatMap(({ screenIds }) => screenIds))]);
    const patterns = new Map(steps.map(({ id, pattern }) => [id, pattern]));
    const passages = flows.map((flow) => composeFlowPassage(flow, patterns));
    const vectors = await embedPassages(embedder, passages);
    for (const [index, flow] of flows.entries()) {
      indexed.push({ flow, tokens: analyze(texts[index] ?? ''), vector: vectors[index] ?? null });
    }
    after = flows.at(-1);
    if (flows.length < BATCH_FLOWS) return indexed;
  }
}

function textOf(flow: FlowRecord, appName: string | undefined): string {
  const type = flow.type.replaceAll('-', ' ');
  return [type, flow.name, flow.description?.slice(0, MAX_DESCRIPTION_CHARACTERS), appName]
    .filter((part) => part !== undefined)
    .join('. ');
}

/** Does the text hold every word that is asked for, by the rules that screens are searched by? */
export function holdsEvery(tokens: readonly Token[], query: string): boolean {
  const terms = parseQuery(query);
  return terms.length > 0 && terms.every((term) => holds(tokens, term));
}

function holds(tokens: readonly Token[], term: QueryTerm): boolean {
  switch (term.kind) {
    case 'phrase':
      return tokens.some((_, start) =>
        term.tokens.every((token, place) => tokens[start + place]?.token === token),
      );
    case 'word':
      return tokens.some(
        ({ token, stem }) =>
          stem === term.stem ||
          (term.prefix && token.startsWith(term.token)) ||
          (term.maxTypos > 0 &&
            token[0] === term.token[0] &&
            editDistance(token, term.token, term.maxTypos) <= term.maxTypos),
      );
    default:
      return term satisfies never;
  }
}
