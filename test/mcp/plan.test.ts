import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMcpService, type McpService } from './service.ts';

/** Within this a change of plan holds everywhere. */
const PROMISED_SECONDS = 30;

let service: McpService;
let client: Client;
beforeAll(async () => {
  service = await startMcpService();
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
});
afterAll(async () => {
  await client.close();
  await service.close();
});

it('is lost in the middle of a session, and works again with the same token', async () => {
  const { accounts } = service.library.stores;
  const [user] = (await accounts.users()).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const call = () => client.callTool({ name: 'get_screen', arguments: { id: 'home' } });

  expect((await call()).isError).toBeFalsy();
  await accounts.setPlan(user!.id, 'free');
  service.advance(PROMISED_SECONDS);
  await expect(call()).rejects.toThrow(/"code":"plan_required".*\/account/);
  await accounts.setPlan(user!.id, 'pro');
  service.advance(PROMISED_SECONDS);
  expect((await call()).isError).toBeFalsy();
});
