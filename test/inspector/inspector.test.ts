import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/mcp/server.ts';
import { startMcpService, type McpService } from '../mcp/service.ts';
import { openInspector, type Inspector } from './inspector.ts';

/** What it exits with, by its own documentation. */
const EXIT_AUTH_REQUIRED = 3;
const EXIT_TOOL_FAILED = 5;

let service: McpService;
let inspector: Inspector;
beforeAll(async () => {
  [service, inspector] = await Promise.all([startMcpService(), openInspector()]);
});
afterAll(async () => {
  await inspector.close();
  await service.close();
});

/** One good call of each tool, and what its structured answer begins with. */
const CALLS: Record<string, Record<string, unknown>> = {
  search_screens: { query: 'upgrade to premium', limit: 2 },
  view_screens: { flowId: 'demo-upgrade', size: 'small' },
  get_screen: { id: 'paywall' },
  find_similar_screens: { screenId: 'paywall', by: 'meaning' },
  search_flows: { type: 'paywall' },
  get_flow: { id: 'demo-upgrade' },
  compare_flows: { flowIds: ['demo-upgrade', 'demo-downgrade'] },
  list_filters: { of: ['patterns', 'apps'] },
};

describe.each(['legacy', 'modern'])('the Inspector, protocol era %s', (era) => {
  let common: string[];
  beforeAll(async () => {
    const token = await service.token({ resource: 'mcp' });
    common = [
      `${service.url}/mcp`,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--header',
      `Authorization: Bearer ${token}`,
    ];
    await service.library.stores.catalogue.save({
      flows: [
        {
          id: 'demo-downgrade',
          appId: 'demo',
          type: 'paywall',
          name: 'Downgrade',
          screenIds: ['paywall', 'done'],
          capturedAt: '2026-01-04T00:00:00.000Z',
        },
      ],
    });
  });

  it('lists the tools and finds no error in their schemas', async () => {
    const { code, output, errors } = await inspector.run([...common, '--method', 'tools/list', '--strict']);
    expect(errors).toMatch(/^0 errors/m);
    expect(code).toBe(0);
    const tools = output?.result?.['tools'] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  });

  it.each(Object.entries(CALLS))('calls %s', async (name, args) => {
    const call = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
    const { code, output, errors } = await inspector.run([...common, ...call]);
    expect(errors).not.toContain('"error"');
    expect(code).toBe(0);
    expect(output?.result?.['isError']).toBeFalsy();
    expect(output?.result?.['content']).toMatchObject([
      { type: 'text' },
      ...(name === 'view_screens' ? [{ type: 'image' }] : []),
    ]);
  });

  it('tells a call that fails', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'get_screen', '--tool-arg', 'id=ghost'];
    const { code, output } = await inspector.run([...common, ...call]);
    expect(code).toBe(EXIT_TOOL_FAILED);
    expect(JSON.stringify(output)).toContain('no screen with the id');
  });

  it('reads what there is beside the tools', async () => {
    for (const [method, members] of Object.entries({
      'resources/list': 'resources',
      'resources/templates/list': 'resourceTemplates',
      'prompts/list': 'prompts',
    })) {
      const { code, output } = await inspector.run([...common, '--method', method]);
      expect(code).toBe(0);
      expect(output?.result?.[members]).not.toHaveLength(0);
    }
    const guide = ['--method', 'resources/read', '--uri', 'vitrine://guide'];
    expect((await inspector.run([...common, ...guide])).code).toBe(0);
  });
});

it('covers every tool', () => {
  expect(Object.keys(CALLS)).toEqual(TOOLS.map(({ name }) => name));
});

it('says that a token is wanted where none is sent', async () => {
  const { code, errors } = await inspector.run([
    `${service.url}/mcp`,
    '--transport',
    'http',
    '--method',
    'tools/list',
  ]);
  expect(code).toBe(EXIT_AUTH_REQUIRED);
  expect(errors).toContain('Access token required');
});
