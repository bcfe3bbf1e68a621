import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentWith } from '../support/environment.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { writeFolder } from './folder.ts';

const ROOT = join(import.meta.dirname, '../..');

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'vitrine-beside-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function callTool(
  token: string,
  args: Record<string, unknown>,
): Promise<{ screens: { id: string }[] }> {
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_screens', arguments: args },
    }),
  });
  const { result } = (await answer.json()) as {
    result: { structuredContent: { screens: { id: string }[] } };
  };
  return result.structuredContent;
}

describe('an ingest beside a running server', () => {
  it('is found over both doors as soon as it has ended, with no restart', { timeout: 120_000 }, async () => {
    const token = await service.token({ resource: 'mcp' });
    const search = { query: 'zebrafish aquarium booking', mode: 'text' };
    // Asked before, so that every cache there is has the old answer.
    expect((await callTool(token, search)).screens).toEqual([]);
    await callTool(token, { query: 'booking', mode: 'semantic' });
    expect(await (await service.get('/screens?q=beside-0')).json()).toMatchObject({ total: 0 });

    await writeFolder(folder, 3, 'beside');
    const env = environmentWith({ ...service.sharing, LOG_LEVEL: 'silent' });
    const child = spawn(process.execPath, ['scripts/ingest.ts', folder], { cwd: ROOT, env, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);

    expect(await (await service.get('/screens?q=caption%20beside')).json()).toMatchObject({ total: 3 });
    expect(await (await service.get('/flows?appId=one')).json()).toMatchObject({ total: 1 });
    const found = await callTool(token, { query: 'empty state', mode: 'semantic', appId: 'one' });
    expect(found.screens.map((screen) => screen.id).toSorted()).toEqual(['beside-0', 'beside-2']);
  });
});
