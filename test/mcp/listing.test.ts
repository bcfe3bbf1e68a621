import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTools } from '../../scripts/mcp-listing.ts';
import { estimateTokens } from '../../src/mcp/answer-size.ts';
import { startMcpService, type McpService } from './service.ts';

const MAX_LISTING_TOKENS = 6000;
const MAX_DESCRIPTION_CHARACTERS = 1500;
const MAX_INSTRUCTIONS_BYTES = 2048;

let service: McpService;
let client: Client;
beforeAll(async () => {
  service = await startMcpService();
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
});
afterAll(async () => {
  await client.close();
  await service.close();
});

describe('what a client lists', () => {
  it('is the contract that was reviewed', async () => {
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const listing = { tools, prompts, resources, resourceTemplates };
    const withoutIcons = JSON.stringify(
      listing,
      (key, value: unknown) => (key === 'icons' ? undefined : value),
      2,
    );
    await expect(`${withoutIcons}\n`).toMatchFileSnapshot('listing.snap');
  });

  it('costs little of a conversation', async () => {
    const tools = await listTools();
    expect(tools.length).toBeLessThanOrEqual(8);
    expect(estimateTokens(JSON.stringify(tools))).toBeLessThan(MAX_LISTING_TOKENS);
    for (const tool of tools) {
      expect(tool.description?.length).toBeLessThanOrEqual(MAX_DESCRIPTION_CHARACTERS);
    }
    expect(Buffer.byteLength(client.getInstructions() ?? '')).toBeLessThan(MAX_INSTRUCTIONS_BYTES);
  });

  it('has a title for everything and an icon where the protocol has one', async () => {
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const { tools } = await client.listTools();
    for (const item of [...tools, ...prompts, ...resources]) expect(item.title).toMatch(/\S/);
    for (const item of [...prompts, ...resources]) {
      expect(item.icons?.[0]?.src).toMatch(/^data:image\/svg\+xml,/);
    }
    expect(client.getServerVersion()).toMatchObject({ title: 'Vitrine', icons: expect.any(Array) });
  });

  it('speaks only of tools that there are', async () => {
    const names = new Set((await listTools()).map((tool) => tool.name));
    const guide = await client.readResource({ uri: 'vitrine://guide' });
    const texts = [client.getInstructions(), JSON.stringify(guide), JSON.stringify(await listTools())];
    const spoken = texts.join(' ').match(/\b(?:search|view|get|find|compare|list)_[a-z_]+/g) ?? [];
    expect(spoken.length).toBeGreaterThan(10);
    for (const name of spoken) expect(names).toContain(name);
  });
});

describe('resources', () => {
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return contents[0] as { mimeType?: string; text?: string; blob?: string };
  };

  it('tell of the account, its plan and where to change it', async () => {
    const account = JSON.parse((await read('vitrine://account')).text ?? '') as Record<string, unknown>;
    expect(account).toMatchObject({
      plan: 'pro',
      plansWithMcp: ['pro', 'team', 'enterprise'],
      scopes: ['mcp:read', 'mcp:tools'],
      accountUrl: `${service.url}/account`,
    });
  });

  it('list patterns with counts', async () => {
    const { patterns } = JSON.parse((await read('vitrine://patterns')).text ?? '') as { patterns: object[] };
    expect(patterns).toContainEqual({ value: 'empty-state', count: 1 });
  });

  it('give a screen, its picture and a flow by id', async () => {
    expect(JSON.parse((await read('vitrine://screens/paywall')).text ?? '')).toMatchObject({ id: 'paywall' });
    expect(await read('vitrine://images/paywall')).toMatchObject({ mimeType: 'image/webp' });
    expect(JSON.parse((await read('vitrine://flows/demo-upgrade')).text ?? '')).toMatchObject({
      stepCount: 3,
      steps: [{ id: 'home' }, { id: 'paywall' }, { id: 'done' }],
    });
  });

  it.each([
    'vitrine://screens/ghost',
    'vitrine://images/ghost',
    'vitrine://flows/ghost',
    'vitrine://nothing',
  ])('%s is not there', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('prompts and completions', () => {
  it.each([
    ['survey_pattern', { pattern: 'paywall', platform: 'IOS' }, /pattern \["paywall"\] and platform IOS/],
    ['compare_apps', { type: 'onboarding' }, /type "onboarding"/],
    ['compare_apps', { type: 'onboarding', apps: 'demo, mail' }, /demo, mail/],
    ['colour_board', { color: '#7C3AED' }, /colors \["#7C3AED"\]/],
    ['review_my_screen', { purpose: 'checkout' }, /query "checkout"/],
  ])('%s %j leads through the tools', async (name, args, words) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    expect(messages).toHaveLength(1);
    expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringMatching(words) });
  });

  it('refuses a prompt without what it needs', async () => {
    await expect(client.getPrompt({ name: 'survey_pattern', arguments: {} })).rejects.toThrow(/pattern/);
  });

  const prompt = (name: string) => ({ type: 'ref/prompt' as const, name });
  const template = (uri: string) => ({ type: 'ref/resource' as const, uri });
  it.each([
    [prompt('survey_pattern'), 'pattern', 'pa', ['paywall']],
    [prompt('survey_pattern'), 'pattern', 'state', ['empty-state']],
    [prompt('survey_pattern'), 'platform', 'a', ['ANDROID']],
    [prompt('compare_apps'), 'type', '', ['paywall']],
    [prompt('compare_apps'), 'apps', 'demo, m', ['demo, mail']],
    [prompt('colour_board'), 'color', '#ff', ['#FFFFFF']],
    [template('vitrine://screens/{id}'), 'id', 'p', ['paywall']],
    [template('vitrine://images/{id}'), 'id', 'zz', []],
    [template('vitrine://flows/{id}'), 'id', 'up', ['demo-upgrade']],
  ])('completes %j %s %j', async (ref, name, value, expected) => {
    const { completion } = await client.complete({ ref, argument: { name, value } });
    for (const suggestion of expected) expect(completion.values).toContain(suggestion);
    if (expected.length === 0) expect(completion.values).toEqual([]);
  });
});
