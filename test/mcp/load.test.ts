import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillForLoad, runLoad } from '../../bench/mcp-load.ts';
import { startTestService, type TestService } from '../support/service.ts';

const CLIENTS = 50;
const SECONDS = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ screens: [] });
  await fillForLoad(service.library, 500);
});
afterAll(() => service.close());

it('answers many clients at once, none of them with an error', async () => {
  const token = await service.token({ resource: 'mcp' });
  const load = await runLoad({ url: service.url, token }, { clients: CLIENTS, seconds: SECONDS });
  expect([...load.errors]).toEqual([]);
  expect(load.calls).toBeGreaterThanOrEqual(CLIENTS);
});
