import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewScreens } from '../../src/library/view-screens.ts';
import type { Progress } from '../../src/library/waiting.ts';
import { createRandom } from '../support/random.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startMcpService, type McpService } from './service.ts';

let service: McpService;
let token: string;
beforeAll(async () => {
  service = await startMcpService();
  token = await service.token({ resource: 'mcp' });
});
afterAll(() => service.close());

interface Told {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

const VIEW = { name: 'view_screens', arguments: { flowId: 'demo-upgrade', layout: 'separate' } };

/** Calls a tool by an official client that wants to be told of progress. */
type Caller = (onprogress: (told: Told) => void) => Promise<unknown>;

const CALLERS: Record<string, Caller> = {
  '2026-07-28': async (onprogress) => {
    const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new TransportV2(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    return client.callTool(VIEW, { onprogress }).finally(() => client.close());
  },
  '2025-11-25': async (onprogress) => {
    const client = new ClientV1({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    const transport = new TransportV1(new URL(`${service.url}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    expect(transport.protocolVersion).toBe('2025-11-25');
    return client.callTool(VIEW, undefined, { onprogress }).finally(() => client.close());
  },
};

describe.each(Object.entries(CALLERS))('a client of %s', (revision, call) => {
  it('is told of each picture as it is drawn', async () => {
    const told: Told[] = [];
    const result = await call((progress) => told.push(progress));
    expect(result).toMatchObject({ content: { length: 4 } });
    expect(told).toEqual(
      [1, 2, 3].map((step) => ({
        progress: step - 1,
        total: 3,
        message: `Drawing picture ${step} of 3, 1000 px`,
      })),
    );
  });

  it('gets no stream where it accepts none, whatever it asks for', async () => {
    const response = await send(revision, { accept: 'application/json', meta: { progressToken: 'p' } });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ id: 1, result: { content: { length: 4 } } });
  });

  it('is told nothing that it did not ask for', async () => {
    const response = await send(revision, { accept: 'application/json, text/event-stream', meta: {} });
    expect(await response.text()).not.toContain('notifications/progress');
  });
});

function send(
  revision: string,
  { accept, meta }: { accept: string; meta: Record<string, unknown> },
): Promise<Response> {
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const _meta = { ...meta, ...(revision === '2026-07-28' ? modern : {}) };
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept,
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': VIEW.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...VIEW, _meta } }),
  });
}

it('grows with each step, also where pictures must be drawn anew', async () => {
  const { library, images } = service.library;
  // Noise is what no format can shrink.
  const random = createRandom(1);
  const noise = Buffer.from(random.several(900 * 900 * 3, () => random.below(256)));
  const raw = { width: 900, height: 900, channels: 3 } as const;
  await images.put('images/noise.webp', await sharp(noise, { raw }).webp().toBuffer(), 'image/webp');
  const ids = ['noise-1', 'noise-2', 'noise-3'];
  await service.addScreens(ids.map((id) => screenRecord(id, { imageKey: 'images/noise.webp' })));
  const told: Progress[] = [];
  const { size } = await viewScreens(
    library,
    { of: { ids }, as: 'separate', size: 'medium' },
    { onProgress: (progress) => told.push(progress) },
  );
  expect(size).toBe('small');
  expect(told.length).toBeGreaterThan(ids.length);
  expect(told.map(({ done }) => done)).toEqual(told.map((_, index) => index));
  for (const { done, total } of told) expect(total).toBeGreaterThan(done);
});

it('draws nothing more once nobody waits', async () => {
  const { library } = service.library;
  const hungUp = new AbortController();
  const told: Progress[] = [];
  const view = viewScreens(
    library,
    { of: { flowId: 'demo-upgrade' }, as: 'separate', size: 'medium' },
    {
      signal: hungUp.signal,
      onProgress(progress) {
        told.push(progress);
        if (progress.done === 1) hungUp.abort(new Error('hung up'));
      },
    },
  );
  await expect(view).rejects.toThrow('hung up');
  expect(told).toHaveLength(2);
});
