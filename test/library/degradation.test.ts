import { afterEach, describe, expect, it } from 'vitest';
import type { ScreenRecord } from '../../src/domain/screen.ts';
import { embeddingIdOf } from '../../src/ingest/embedding-id.ts';
import { keepIndexed } from '../../src/library/keep-indexed.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import { startQdrantStub, type QdrantStub } from '../support/qdrant-stub.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

/** Nothing listens on it: it is for the use of the kernel alone. */
const CLOSED = 'http://127.0.0.1:1';

const screen = (id: string, caption: string): ScreenRecord =>
  screenRecord(id, { appId: 'bank', caption, pattern: ['login'], embeddingId: embeddingIdOf(id) });
const SIGN_IN = screen('sign-in', 'Sign in with your password');
const RECEIPT = screen('receipt', 'Your receipt for groceries');
const FLOW = {
  id: 'flow-in',
  appId: 'bank',
  type: 'login',
  name: 'Coming in',
  screenIds: ['sign-in'],
  capturedAt: '2026-01-10T12:04:00.000Z',
};

let service: TestService;
let stub: QdrantStub | undefined;
afterEach(async () => {
  await service.close();
  await stub?.close();
  stub = undefined;
});

interface ToolAnswer {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: { screens: { id: string }[]; missing: string[] };
}

async function callTool(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.token({ resource: 'mcp' })}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return ((await answer.json()) as { result: ToolAnswer }).result;
}

const idsOf = (answer: ToolAnswer) => answer.structuredContent?.screens.map(({ id }) => id);

/** Asks again until it is so; fails as the last answer does. */
async function eventually(check: () => Promise<void>): Promise<void> {
  await expect.poll(() => check().then(() => 'so', String), { timeout: 30_000 }).toBe('so');
}

describe('the search engine is down', () => {
  async function start(options: TestServiceOptions = {}): Promise<void> {
    service = await startTestService({ screens: [], settings: { ELASTICSEARCH_URL: CLOSED }, ...options });
    const { catalogue } = service.library.stores;
    await catalogue.save({
      apps: [{ id: 'bank', name: 'Bank' }],
      screens: [SIGN_IN, RECEIPT],
      flows: [FLOW],
    });
  }

  it('answers searches 503 and says when to come again; everything by id goes on', async () => {
    await start();
    for (const path of ['/screens?q=password', '/screens', '/screens?colors=FF0000&pattern=login']) {
      const answer = await service.get(path);
      expect(answer.status, path).toBe(503);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ status: 503, code: 'engine_unavailable' });
    }
    for (const path of [
      '/screens/sign-in',
      '/screens/sign-in/download',
      '/flows',
      '/flows?type=login&platform=ios',
      '/flows/flow-in',
    ]) {
      expect((await service.get(path)).status, path).toBe(200);
    }
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await callTool('get_screen', { id: 'sign-in' })).isError).toBeFalsy();
    expect((await callTool('get_flow', { id: 'flow-in' })).isError).toBeFalsy();
  });

  it('answers MCP searches by meaning and says so; text alone is an error that says when to come again', async () => {
    await start();
    const following = keepIndexed(service.library.library, 'vectors', { warn: () => {} });
    await eventually(async () => {
      const found = await callTool('search_screens', { query: 'log in with a password' });
      expect(idsOf(found)).toContain('sign-in');
      expect(found.structuredContent?.missing).toEqual(['text']);
      expect(found.content[0]?.text).toContain('Search by text is down');
    });
    await following.stop();
    const failed = await callTool('search_screens', { query: 'password', mode: 'text' });
    expect(failed.isError).toBe(true);
    expect(failed.content[0]?.text).toMatch(/cannot be reached.*Try again in \d+ seconds/s);
  });
});

describe('the vector engine is down', () => {
  it('answers MCP searches by text and says so, loses nothing, and is whole again without a restart', async () => {
    stub = await startQdrantStub();
    const { port } = new URL(stub.url);
    service = await startTestService({ screens: [SIGN_IN], settings: { QDRANT_URL: stub.url } });
    const bySense = { query: 'log in with a password', mode: 'semantic' };
    expect(idsOf(await callTool('search_screens', bySense))).toEqual(['sign-in']);

    const warnings: object[] = [];
    const log = { warn: (fields: object) => void warnings.push(fields) };
    const followers = INDEX_TARGETS.map((target) => keepIndexed(service.library.library, target, log));
    await stub.close();
    await service.library.stores.catalogue.save({ screens: [RECEIPT] });
    await eventually(async () => {
      const found = await callTool('search_screens', { query: 'receipt' });
      expect(idsOf(found)).toEqual(['receipt']);
      expect(found.structuredContent?.missing).toEqual(['meaning']);
      expect(found.content[0]?.text).toContain('Search by meaning is down');
    });
    expect((await service.get('/screens?q=receipt')).status).toBe(200);
    const failed = await callTool('search_screens', bySense);
    expect(failed).toMatchObject({ isError: true });
    expect(failed.content[0]?.text).toMatch(/Try again in \d+ seconds/);
    await eventually(async () => {
      expect(warnings).toContainEqual(
        expect.objectContaining({ target: 'vectors', engine: 'The vector index' }),
      );
    });

    // It comes back empty: what was indexed before the outage and what was written during it are both there again.
    stub = await startQdrantStub(undefined, Number(port));
    await eventually(async () => {
      expect(idsOf(await callTool('search_screens', bySense))).toEqual(['sign-in']);
      const receipts = await callTool('search_screens', {
        query: 'a receipt for groceries',
        mode: 'semantic',
      });
      expect(idsOf(receipts)).toContain('receipt');
      expect(receipts.structuredContent?.missing).toEqual([]);
    });
    await Promise.all(followers.map((follower) => follower.stop()));
    expect(stub.unrecorded).toEqual([]);
  });
});
