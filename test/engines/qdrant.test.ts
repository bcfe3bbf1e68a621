import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createQdrantVectors } from '../../src/engines/qdrant/index.ts';
import { point, SPACES, vectorIndexContract } from '../contract/vector-index.ts';
import { startQdrantStub, type QdrantStub } from '../support/qdrant-stub.ts';
import recording from '../support/qdrant-wire.json' with { type: 'json' };

vectorIndexContract('Qdrant, by a stub that answers as one was recorded', async () => {
  const stub = await startQdrantStub();
  return {
    open: (options = {}) => createQdrantVectors({ url: stub.url, spaces: SPACES, ...options }),
    async close() {
      await stub.close();
      expect(stub.unrecorded).toEqual([]);
    },
  };
});

const realUrl = process.env['QDRANT_URL'];
if (realUrl !== undefined) {
  vectorIndexContract('Qdrant, a real one at QDRANT_URL', async () => {
    const name = `vitrine-test-${randomUUID()}`;
    const apiKey = process.env['QDRANT_API_KEY'];
    const address = { url: realUrl, name, ...(apiKey === undefined ? {} : { apiKey }) };
    return {
      open: (options = {}) => createQdrantVectors({ ...address, spaces: SPACES, ...options }),
      async close() {
        for (const slot of [1, 2]) {
          await fetch(new URL(`/collections/${name}-${slot}`, realUrl), {
            method: 'DELETE',
            headers: apiKey === undefined ? {} : { 'api-key': apiKey },
          });
        }
      },
    };
  });
}

describe('Qdrant', () => {
  const stubs: QdrantStub[] = [];
  async function start(keys?: { full: string; readOnly: string }): Promise<QdrantStub> {
    const stub = await startQdrantStub(keys);
    stubs.push(stub);
    return stub;
  }
  afterEach(async () => {
    for (const stub of stubs.splice(0)) await stub.close();
  });

  it('is waited for when it is down, and asked as soon as it is there', async () => {
    const stub = await start();
    const index = await createQdrantVectors({ url: stub.url, spaces: SPACES });
    await index.upsert([point('a')]);
    const { port } = new URL(stub.url);
    await stub.close();
    await expect(index.count()).rejects.toMatchObject({
      name: 'EngineUnavailableError',
      cause: { message: 'Qdrant: no connection' },
    });
    const whileDown = await createQdrantVectors({ url: stub.url, spaces: SPACES });
    await expect(whileDown.count()).rejects.toThrow(/cannot be reached/);
    stubs.push(await startQdrantStub(undefined, Number(port)));
    // The stub remembers nothing over a restart, so the collection is made anew.
    expect(await whileDown.count()).toBe(0);
    expect(await index.count()).toBe(0);
  });

  it('says that an answer took too long', async () => {
    const stub = await start();
    const index = await createQdrantVectors({ url: stub.url, spaces: SPACES, queryTimeoutMs: 100 });
    stub.delayMs = 400;
    await expect(index.vector('a', 'text')).rejects.toMatchObject({
      cause: { message: 'Qdrant: no answer in time' },
    });
  });

  it('says which setting is wrong when the key is refused, and goes on without vectors when that happens later', async () => {
    const stub = await start({ full: 'secret', readOnly: 'readers' });
    const open = (apiKey?: string) =>
      createQdrantVectors({ url: stub.url, spaces: SPACES, ...(apiKey === undefined ? {} : { apiKey }) });
    await expect(open()).rejects.toThrow(/QDRANT_API_KEY.*Invalid API key/);
    await expect(open('wrong')).rejects.toThrow(/QDRANT_API_KEY/);
    await expect(open('readers')).rejects.toThrow(/QDRANT_API_KEY.*Global manage access/);
    const index = await open('secret');
    await index.upsert([point('a')]);
    const reader = await open('readers');
    expect(await reader.count()).toBe(1);
    await expect(reader.upsert([point('b')])).rejects.toMatchObject({ name: 'EngineUnavailableError' });
  });

  it('notices a collection that somebody deleted, and makes it anew', async () => {
    const stub = await start();
    const index = await createQdrantVectors({ url: stub.url, spaces: SPACES });
    await index.upsert([point('a')]);
    await fetch(`${stub.url}/collections/vitrine-screens-1`, { method: 'DELETE' });
    await expect(index.count()).rejects.toThrow(/cannot be reached/);
    await index.upsert([point('b')]);
    expect(await index.count()).toBe(1);
  });

  it('keeps two installations on one server apart', async () => {
    const stub = await start();
    const open = (name: string) => createQdrantVectors({ url: stub.url, spaces: SPACES, name });
    const [one, other] = [await open(`one-${randomUUID()}`), await open(`other-${randomUUID()}`)];
    await one.upsert([point('a')]);
    expect(await other.count()).toBe(0);
  });

  it('keeps the newest of what several processes write at once', async () => {
    const stub = await start();
    const handles = await Promise.all(
      Array.from({ length: 4 }, () => createQdrantVectors({ url: stub.url, spaces: SPACES })),
    );
    await Promise.all(
      Array.from({ length: 40 }, (_, version) =>
        handles[version % 4]!.upsert([point('a', { version, appId: `v${version}` }), point(`b${version}`)]),
      ),
    );
    const { entries } = await handles[0]!.list(undefined, 100);
    expect(entries).toHaveLength(41);
    expect(entries).toContainEqual({ id: 'a', version: 39 });
  });
});

describe('the stub', () => {
  /** Calls that Vitrine never makes; the stub refuses them. */
  const REFUSED = ['query groups by app', 'query batch', 'facet', 'version and readiness', 'snapshot'];

  it('answers each recorded call as the real one did, and refuses those that Vitrine never makes', async () => {
    const stub = await startQdrantStub();
    for (const { case: name, request, response } of recording.exchanges) {
      if (name.includes('key')) continue;
      const answer = await fetch(stub.url + request.path, {
        method: request.method,
        ...('body' in request ? { body: JSON.stringify(request.body) } : {}),
      });
      if (REFUSED.includes(name)) {
        expect(answer.status, name).toBe(501);
        continue;
      }
      expect(answer.status, name).toBe(response.status);
      expect(await answer.json(), name).toEqual(
        name === 'get collection' ? expect.anything() : loosely(response.body),
      );
    }
    expect(stub.unrecorded).toHaveLength(REFUSED.length);
    await stub.close();
  });
});

/** Numbers nearly alike, operation ids whatever they are, and the time that was left out of the recording. */
function loosely(recorded: unknown, inside = false): unknown {
  if (typeof recorded === 'number') return expect.closeTo(recorded, 5);
  if (Array.isArray(recorded)) return recorded.map((value) => loosely(value, true));
  if (typeof recorded !== 'object' || recorded === null) return recorded;
  const members = Object.entries(recorded).map(([name, value]): [string, unknown] => [
    name,
    ['operation_id', 'version'].includes(name) ? (expect.any(Number) as unknown) : loosely(value, true),
  ]);
  return { ...Object.fromEntries(members), ...(inside ? {} : { time: expect.any(Number) as unknown }) };
}
