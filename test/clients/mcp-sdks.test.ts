import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { advance, MCP_TOKEN_SECONDS, resetClock, REVOCATION_SECONDS } from './clock.ts';
import { createClientMemory, type ClientMemory } from './client-memory.ts';
import { startDocumentHost, type DocumentHost } from './document-host.ts';
import { startClientsService, type ClientsService } from './user.ts';

// Nothing listens there: the user's browser only has to be sent there.
const REDIRECT = 'http://127.0.0.1:33418/callback';

interface Connection {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

/** One generation of the SDK. */
interface Sdk {
  connect(url: URL, memory: ClientMemory): Promise<Connection>;
  /** @param answer the query of the redirect */
  finish(url: URL, memory: ClientMemory, answer: URLSearchParams): Promise<void>;
}

const v2: Sdk = {
  async connect(url, memory) {
    const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new TransportV2(url, { authProvider: memory }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    return client;
  },
  finish: (url, memory, answer) => new TransportV2(url, { authProvider: memory }).finishAuth(answer),
};

const v1: Sdk = {
  async connect(url, memory) {
    const client = new ClientV1({ name: 'test', version: '1' });
    await client.connect(new TransportV1(url, { authProvider: memory }));
    return client;
  },
  finish: (url, memory, answer) =>
    new TransportV1(url, { authProvider: memory }).finishAuth(answer.get('code') ?? ''),
};

let service: ClientsService;
let host: DocumentHost;
beforeAll(async () => {
  host = await startDocumentHost({
    client_name: 'Drawing Board',
    redirect_uris: ['http://127.0.0.1/callback'],
  });
  service = await startClientsService({ fetchDocument: host.fetchDocument });
});
afterAll(async () => {
  await service.close();
  await host.close();
});

afterEach(resetClock);

describe.each([
  ['@modelcontextprotocol/client, auto', v2],
  ['@modelcontextprotocol/sdk 1.x', v1],
])('%s', (_name, sdk) => {
  const endpoint = () => new URL(`${service.url}/mcp`);

  /** Finds its way from nothing but the address of the MCP endpoint. */
  async function authorize(memory: ClientMemory): Promise<Connection> {
    await expect(sdk.connect(endpoint(), memory)).rejects.toThrow();
    const [sentTo] = memory.sentTo;
    if (sentTo === undefined) throw new Error('The user was not asked.');
    expect(sentTo.searchParams.get('resource')).toBe(`${service.url}/mcp`);
    const answer = await service.approve(sentTo);
    expect(answer.origin + answer.pathname).toBe(REDIRECT);
    expect(answer.searchParams.get('state')).toBe(memory.state?.());
    await sdk.finish(endpoint(), memory, answer.searchParams);
    return sdk.connect(endpoint(), memory);
  }

  const journeys = [
    ['that registers', () => createClientMemory({ redirectUrl: REDIRECT }), /^[\w-]{36}$/],
    [
      'that publishes a metadata document',
      () => createClientMemory({ redirectUrl: REDIRECT, clientMetadataUrl: host.url }),
      /^https:\/\/localhost:/,
    ],
  ] as const;

  it.each(journeys)(
    'a client %s calls a tool, refreshes, and is refused once revoked',
    async (_kind, create, id) => {
      const memory = create();
      const connection = await authorize(memory);
      expect(memory.client?.client_id).toMatch(id);
      expect(memory.stored).toMatchObject({
        token_type: 'Bearer',
        expires_in: MCP_TOKEN_SECONDS,
        scope: 'mcp:read mcp:tools',
      });
      const { tools } = await connection.listTools();
      expect(tools.map(({ name }) => name)).toContain('list_filters');
      const call = () => connection.callTool({ name: 'list_filters', arguments: {} });
      await expect(call()).resolves.not.toHaveProperty('isError', true);

      const first = memory.stored;
      advance(MCP_TOKEN_SECONDS + 10);
      await expect(call()).resolves.not.toHaveProperty('isError', true);
      expect(memory.stored?.access_token).not.toBe(first?.access_token);
      expect(memory.stored?.refresh_token).not.toBe(first?.refresh_token);
      expect(service.issued().slice(-2)).toEqual(['authorization_code', 'refresh_token']);
      expect(memory.sentTo).toHaveLength(1);

      const revoked = await fetch(`${service.url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({
          token: memory.stored?.refresh_token ?? '',
          client_id: memory.client?.client_id ?? '',
        }),
      });
      expect(revoked.status).toBe(200);
      advance(REVOCATION_SECONDS);
      // What the SDK says about it is for its users.
      vi.spyOn(console, 'warn').mockReturnValue();
      await expect(call()).rejects.toThrow();
      // Its refresh token is dead as well, so the user is asked anew.
      expect(memory.stored).toBeUndefined();
      expect(memory.sentTo).toHaveLength(2);
      await connection.close();
    },
  );
});
