import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMcpService, type McpService } from './service.ts';

/** What this suite asks of a client, whichever generation it is of. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; annotations?: unknown; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
}

function screensOf({ structuredContent }: ToolResult): { id: string }[] {
  return (structuredContent as { screens: { id: string }[] }).screens;
}

let service: McpService;
beforeAll(async () => {
  service = await startMcpService();
});
afterAll(() => service.close());

async function connectV2(): Promise<AnyClient> {
  const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  await client.connect(new TransportV2(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return client;
}

async function connectV1(): Promise<AnyClient> {
  const client = new ClientV1({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  const transport = new TransportV1(new URL(`${service.url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  expect(transport.protocolVersion).toBe('2025-11-25');
  return client;
}

describe.each([
  ['@modelcontextprotocol/client, auto', connectV2],
  ['@modelcontextprotocol/sdk 1.x', connectV1],
])('%s', (_name, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as ToolResult;

  it('lists the tools, all of them safe to call again', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'search_screens',
      'view_screens',
      'get_screen',
      'find_similar_screens',
      'search_flows',
      'get_flow',
      'compare_flows',
      'list_filters',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it('finds a screen by what it says and by what it means, with the reason', async () => {
    const byWords = await call('search_screens', { query: 'upgrade to premium', mode: 'text' });
    expect(byWords.structuredContent).toMatchObject({
      total: 1,
      screens: [{ id: 'paywall', matched: ['text'] }],
    });
    expect(byWords.content[0]?.text).toContain('paywall · demo · IOS · paywall, pricing');
    const byMeaning = await call('search_screens', {
      query: 'subscription plans to choose from',
      mode: 'semantic',
    });
    expect(byMeaning.structuredContent).toMatchObject({
      total: null,
      screens: expect.any(Array),
    });
    const [first] = screensOf(byMeaning);
    expect(first).toMatchObject({ id: 'paywall', matched: ['meaning'] });
    const hybrid = await call('search_screens', { query: 'upgrade premium subscription', limit: 1 });
    expect(hybrid.structuredContent).toMatchObject({ screens: [{ id: 'paywall' }] });
  });

  it('filters by pattern, platform, app, colour and exclusion, with an exact total', async () => {
    const ids = async (args: Record<string, unknown>) => {
      return screensOf(await call('search_screens', args)).map((screen) => screen.id);
    };
    expect(await ids({})).toHaveLength(service.screens.length);
    expect(await ids({ pattern: ['Empty State'] })).toEqual(['inbox']);
    expect(await ids({ platform: 'android' })).toEqual(['inbox']);
    expect(await ids({ colors: ['#7C3AED'] })).toEqual(['paywall']);
    expect(await ids({ colors: ['#7C3AED'], excludeIds: ['paywall'] })).toEqual([]);
    expect(await ids({ appId: 'nobody' })).toEqual([]);
    expect(await ids({ maxPerApp: 1 })).toHaveLength(2);
  });

  it('pages to the end, nothing twice', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await call('search_screens', { limit: 2, ...(cursor && { cursor }) });
      seen.push(...screensOf(page).map((screen) => screen.id));
      cursor = (page.structuredContent?.['nextCursor'] as string | null) ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(service.screens.map((screen) => screen.id).toSorted());
  });

  it('answers what nothing matches with an empty list and a hint', async () => {
    const result = await call('search_screens', { query: 'zzqx', mode: 'text' });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({
      screens: [],
      total: 0,
      hint: expect.stringContaining('fewer words'),
    });
  });

  it('tells everything of one screen', async () => {
    const { structuredContent } = await call('get_screen', { id: 'paywall' });
    expect(structuredContent).toMatchObject({
      id: 'paywall',
      captionText: 'Upgrade to Premium. Yearly or monthly.',
      imageUrl: expect.stringContaining(`${service.url}/files/`),
      flows: [{ id: 'demo-upgrade', step: 2, steps: 3 }],
    });
  });

  it('shows screens on a numbered sheet, text and pictures only', async () => {
    const result = await call('view_screens', { ids: ['paywall', 'inbox', 'ghost'] });
    expect(result.structuredContent).toBeUndefined();
    expect(result.content.map((block) => block.type)).toEqual(['text', 'image']);
    expect(result.content[0]?.text).toMatch(/^1\. paywall .+\n2\. inbox .+\nNo screen has the id ghost\.$/);
    const picture = await sharp(Buffer.from(result.content[1]?.data ?? '', 'base64')).metadata();
    expect(picture).toMatchObject({ format: 'webp', width: 1000 });
  });

  it('walks through a flow, step by step or some of them, in order', async () => {
    const all = await call('view_screens', { flowId: 'demo-upgrade', layout: 'separate', size: 'small' });
    expect(all.content.map((block) => block.type)).toEqual(['text', 'image', 'image', 'image']);
    const some = await call('view_screens', { flowId: 'demo-upgrade', steps: [3, 1] });
    expect(some.content[0]?.text).toMatch(/^1\. done .+\n2\. home /);
  });

  it('finds flows by words and filters, and says which types there are when none fits', async () => {
    const found = await call('search_flows', { query: 'upgrade' });
    expect(found.structuredContent).toMatchObject({
      flows: [
        {
          id: 'demo-upgrade',
          steps: 3,
          screenIds: ['home', 'paywall', 'done'],
          matched: ['text', 'meaning'],
        },
      ],
    });
    const none = await call('search_flows', { type: 'checkout' });
    expect(none.structuredContent).toMatchObject({
      flows: [],
      total: 0,
      hint: expect.stringContaining('paywall'),
    });
  });

  it('says when a picture has nothing to compare', async () => {
    const blank = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const result = await call('find_similar_screens', { image: blank.toString('base64') });
    expect(result.structuredContent).toMatchObject({
      screens: [],
      hint: expect.stringContaining('no edge'),
    });
  });

  it.each([
    ['get_screen', { id: 'ghost' }, /no screen with the id "ghost".*search_screens/],
    ['view_screens', { ids: ['ghost'] }, /no screen with the id "ghost"/],
    ['view_screens', { flowId: 'demo-upgrade', steps: [4] }, /steps 1 to 3; there is no step 4/],
    ['view_screens', {}, /either ids, or flowId/],
    ['view_screens', { ids: ['a'], flowId: 'b' }, /either ids, or flowId/],
    ['search_screens', { colors: ['red'] }, /colour such as #1A73E8/],
    ['search_screens', { platform: 'beos' }, /IOS, ANDROID, WEB/],
    ['search_screens', { limit: 1000 }, /50/],
    ['search_screens', { cursor: 'nonsense' }, /not a cursor of this service/],
    ['find_similar_screens', {}, /either screenId or image/],
    ['find_similar_screens', { screenId: 'ghost' }, /no screen with the id "ghost".*search_screens/],
    ['find_similar_screens', { image: 'not base64!' }, /must be base64/],
    [
      'find_similar_screens',
      { image: btoa('<svg xmlns="x"></svg>') },
      /an SVG; JPEG, PNG and WebP are taken/,
    ],
    ['find_similar_screens', { image: 'A'.repeat(2_900_000) }, /at most 2 MB/],
    ['get_flow', { id: 'ghost' }, /no flow with the id "ghost".*search_flows/],
    ['get_flow', { id: 'demo-upgrade', fromStep: 4 }, /steps 1 to 3; there is no step 4/],
    ['compare_flows', { flowIds: ['demo-upgrade', 'demo-upgrade'] }, /2 to 4 different flows/],
    ['compare_flows', { flowIds: ['demo-upgrade', 'ghost'] }, /no flow with the id "ghost"/],
    ['search_flows', { cursor: 'nonsense' }, /not a cursor of this service/],
    ['list_filters', { of: ['fonts'] }, /patterns/],
  ])('%s %j fails with what to do next', async (name, args, words) => {
    const result = await call(name, args).catch((error: unknown) => ({
      isError: true,
      content: [{ type: 'text', text: String(error) }],
    }));
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(words);
  });
});
