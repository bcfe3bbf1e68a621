import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  createCollection,
  Refusal,
  refuseOthers,
  Unrecorded,
  type NewCollection,
} from './qdrant-stub-collection.ts';

type Json = Record<string, unknown>;

/**
 * Stands in for Qdrant where none can be had: speaks HTTP as a real Qdrant 1.18.3 was recorded to (qdrant-wire.json
 * beside this file), and compares real vectors in memory. What the recording does not cover is answered 501 and makes
 * `unrecorded` grow. Taken from the published API and not from the recording are only: `update_filter` of an upsert,
 * the integer payload index, `filter` and `offset` of a scroll.
 */
export interface QdrantStub {
  url: string;
  /** Calls that were refused because nothing like them was recorded. */
  unrecorded: string[];
  /** Every answer comes this much later. */
  delayMs: number;
  close(): Promise<void>;
}

/** @param keys where given, calls need the one or the other; absent, none */
export async function startQdrantStub(
  keys?: { full: string; readOnly: string },
  port = 0,
): Promise<QdrantStub> {
  const state = createState();
  const stub = { url: '', unrecorded: [] as string[], delayMs: 0, close };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (stub.delayMs > 0) await setTimeout(stub.delayMs);
    const [status, content] = respond(request, body);
    const text = typeof content === 'string';
    response.writeHead(status, text ? {} : { 'content-type': 'application/json' });
    response.end(text ? content : JSON.stringify(content));
  });

  function respond(request: IncomingMessage, body: Json): [status: number, content: unknown] {
    const key = request.headers['api-key'];
    const { pathname } = new URL(request.url ?? '/', 'http://stub');
    const path = pathname.split('/').slice(1).map(decodeURIComponent);
    if (keys !== undefined && key !== keys.full && key !== keys.readOnly)
      return [401, 'Invalid API key or JWT'];
    try {
      if (key !== undefined && key === keys?.readOnly && isWrite(request.method, path))
        throw new Refusal(403, 'Forbidden: Global manage access is required');
      const result = state.handle(`${request.method} ${shapeOf(path)}`, path, body);
      return [200, { result, status: 'ok', time: 0 }];
    } catch (error) {
      if (error instanceof Refusal) return [error.status, { status: { error: error.message }, time: 0 }];
      const call = `${request.method} ${request.url}: ${error instanceof Error ? error.message : String(error)}`;
      stub.unrecorded.push(call);
      return [501, { status: { error: `Not recorded: ${call}` } }];
    }
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}

function createState() {
  const collections = new Map<string, ReturnType<typeof createCollection>>();
  const aliases = new Map<string, string>();

  function find(name: string | undefined) {
    const found = collections.get(aliases.get(name ?? '') ?? name ?? '');
    if (found === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
    return found;
  }

  function changeAliases(actions: Json[]): true {
    for (const action of actions) {
      const { create_alias, delete_alias, ...rest } = action as Record<string, Record<string, string>>;
      refuseOthers(rest, 'alias action');
      if (delete_alias !== undefined) aliases.delete(delete_alias['alias_name']!);
      if (create_alias === undefined) continue;
      find(create_alias['collection_name']);
      aliases.set(create_alias['alias_name']!, create_alias['collection_name']!);
    }
    return true;
  }

  const handlers: Record<string, (name: string, body: Json) => unknown> = {
    'PUT collections/*': (name, { vectors, metadata, ...rest }) => {
      refuseOthers(rest, 'collection');
      if (collections.has(name))
        throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
      collections.set(name, createCollection({ vectors, metadata } as NewCollection));
      return true;
    },
    'GET collections/*': (name) => find(name).describe(),
    'DELETE collections/*': (name) => {
      for (const [alias, collection] of aliases) if (collection === name) aliases.delete(alias);
      return collections.delete(name);
    },
    'GET collections/*/exists': (name) => ({ exists: collections.has(name) }),
    'PUT collections/*/index': (name, { field_name, field_schema, ...rest }) => {
      refuseOthers(rest, 'index');
      if (field_schema !== 'keyword' && field_schema !== 'integer')
        throw new Unrecorded(String(field_schema));
      return find(name).index(String(field_name), field_schema);
    },
    'POST collections/aliases': (_, { actions, ...rest }) => {
      refuseOthers(rest, 'aliases');
      return changeAliases(actions as Json[]);
    },
    'GET aliases': () => ({
      aliases: [...aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })),
    }),
    'PUT collections/*/points': (name, { points, update_filter, ...rest }) => {
      refuseOthers(rest, 'upsert');
      return find(name).upsert(points as never, update_filter as Json | undefined);
    },
    'POST collections/*/points': (name, { ids, with_payload, with_vector, ...rest }) => {
      refuseOthers(rest, 'retrieve');
      if (with_payload !== true || with_vector !== true) throw new Unrecorded('retrieve without all');
      return find(name).retrieve(ids as string[]);
    },
    'POST collections/*/points/delete': (name, { points, filter, ...rest }) => {
      refuseOthers(rest, 'delete');
      return find(name).remove(points as string[] | undefined, filter);
    },
    'POST collections/*/points/count': (name, { filter, exact, ...rest }) => {
      refuseOthers(rest, 'count');
      if (exact !== true) throw new Unrecorded('a count that is not exact');
      return find(name).count(filter);
    },
    'POST collections/*/points/scroll': (name, body) => {
      const { filter: _f, limit: _l, offset: _o, with_payload: _p, with_vector: _v, ...rest } = body;
      refuseOthers(rest, 'scroll');
      return find(name).scroll(body);
    },
    'POST collections/*/points/query': (name, body) => {
      const {
        query: _q,
        using: _u,
        filter: _f,
        limit: _l,
        offset: _o,
        with_payload: _p,
        score_threshold: _s,
        ...rest
      } = body;
      refuseOthers(rest, 'query');
      return find(name).query(body);
    },
  };

  return {
    handle(route: string, path: readonly string[], body: Json): unknown {
      const handler = handlers[route];
      if (handler === undefined) throw new Unrecorded('no such call');
      return handler(path[1] ?? '', body);
    },
  };
}

/** `collections/NAME/points` as `collections/*` + `/points`. */
function shapeOf(path: readonly string[]): string {
  if (path[0] !== 'collections' || path[1] === 'aliases') return path.join('/');
  return ['collections', '*', ...path.slice(2)].join('/');
}

function isWrite(method: string | undefined, path: readonly string[]): boolean {
  const reads = ['count', 'scroll', 'query'];
  return method !== 'GET' && !(method === 'POST' && reads.includes(path.at(-1) ?? ''));
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Json);
}
