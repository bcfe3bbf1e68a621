import type { FlowRecord } from '../domain/screen.ts';
import type { FlowFilter } from '../ports/catalogue.ts';
import { toKebabCase } from '../domain/vocabulary.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { holdsEvery, indexedFlows, type IndexedFlow } from './flow-index.ts';
import { fuse, type Reason } from './fuse.ts';
import { listFlows } from './list-flows.ts';
import type { LibraryPorts } from './ports.ts';

/** A checked question. */
export interface FindFlowsQuestion {
  /** Absent or empty: whatever passes the filter, newest first. */
  query?: string;
  filter: FlowFilter;
  /** 1–100. */
  limit: number;
  cursor?: string;
}

export interface FoundFlow {
  flow: FlowRecord;
  /** 0–1, as of screens; 1 where nothing was asked but a filter. */
  score: number;
  matched: Reason[];
}

export interface FindFlowsAnswer {
  hits: FoundFlow[];
  /** Exact without a query; null for a ranking by meaning. */
  total: number | null;
  nextCursor: string | null;
}

type FindFlowsPorts = Pick<LibraryPorts, 'catalogue' | 'embedder'>;

/**
 * Flows for a question in plain words, by type, name, description and app.
 * Throws InvalidArgumentError for a cursor of another question.
 */
export async function findFlows(
  ports: FindFlowsPorts,
  question: FindFlowsQuestion,
): Promise<FindFlowsAnswer> {
  const query = question.query?.trim() ?? '';
  if (query === '') {
    const { data, total, nextCursor } = await listFlows(ports, question);
    return { hits: data.map((flow) => ({ flow, score: 1, matched: [] })), total, nextCursor };
  }

  const { limit, cursor, filter } = question;
  const identity = ['find flows', query, filter];
  const position = cursor === undefined ? undefined : decodeCursor(identity, cursor);
  const offset = position !== undefined && 'offset' in position ? position.offset : 0;
  const hits = await rank(ports, query, filter);
  return {
    hits: hits.slice(offset, offset + limit),
    total: null,
    nextCursor: offset + limit < hits.length ? encodeCursor(identity, { offset: offset + limit }) : null,
  };
}

async function rank(ports: FindFlowsPorts, query: string, filter: FlowFilter): Promise<FoundFlow[]> {
  const indexed = await filtered(ports, filter);
  const [asked] = await ports.embedder.embed([query], 'query');
  const flows = new Map(indexed.map(({ flow }) => [flow.id, flow]));
  const ranked = fuse({
    text: indexed
      .filter(({ tokens }) => holdsEvery(tokens, query))
      .map(({ flow }) => ({ id: flow.id, score: 1 })),
    meaning: indexed.flatMap(({ flow, vector }) =>
      vector === null || !asked ? [] : [{ screenId: flow.id, score: dot(vector, asked) }],
    ),
    asked: true,
    byColor: false,
  });
  return ranked.map(({ id, score, matched }) => ({ flow: flows.get(id)!, score, matched }));
}

async function filtered(
  ports: FindFlowsPorts,
  { appId, type, platform }: FlowFilter,
): Promise<IndexedFlow[]> {
  const kind = type === undefined ? undefined : toKebabCase(type) || type;
  const indexed = (await indexedFlows(ports)).filter(
    ({ flow }) => (appId === undefined || flow.appId === appId) && (kind === undefined || flow.type === kind),
  );
  if (platform === undefined) return indexed;
  const screens = await ports.catalogue.screens(indexed.flatMap(({ flow }) => flow.screenIds));
  const onPlatform = new Set(screens.filter((screen) => screen.platform === platform).map(({ id }) => id));
  return indexed.filter(({ flow }) => flow.screenIds.some((id) => onPlatform.has(id)));
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
