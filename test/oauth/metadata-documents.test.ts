import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDocumentFetch, isPublicAddress } from '../../src/oauth/fetch-document.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { startOAuth, tokensOf, type OAuthService } from './client.ts';

/** A real https host of metadata documents; `answer` is what it says next. */
describe('client ID metadata documents', () => {
  let service: OAuthService;
  let guarded: OAuthService;
  let host: Server;
  let origin: string;
  let requests: IncomingMessage[];
  let answer: (response: ServerResponse, id: string) => void;

  beforeAll(async () => {
    const { key, cert } = selfSignedCertificate();
    host = createServer({ key, cert }, (request, response) => {
      requests.push(request);
      answer(response, `${origin}${request.url ?? ''}`);
    });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    origin = `https://localhost:${(host.address() as AddressInfo).port}`;
    service = await startOAuth(
      {},
      { fetchDocument: createDocumentFetch({ isPublic: () => true, ca: cert }) },
    );
    guarded = await startOAuth();
  });
  afterAll(async () => {
    host.closeAllConnections();
    host.close();
    await service.close();
    await guarded.close();
  });
  afterEach(() => void vi.useRealTimers());

  const document = (id: string, more: Record<string, unknown> = {}) => ({
    client_id: id,
    client_name: 'Claude Code',
    client_uri: 'https://claude.example',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...more,
  });
  const serve = (build: (id: string) => unknown, headers: Record<string, string> = {}) => {
    requests = [];
    answer = (response, id) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(build(id)));
    };
  };
  let count = 0;
  const newId = () => `${origin}/clients/${(count += 1)}.json`;
  const request = (id: string) =>
    service.request(id, { redirect_uri: 'http://127.0.0.1:52001/callback' }).parameters;
  const refusal = async (id: string, by = service) => {
    const response = await by.authorize(request(id));
    expect(response.status).toBe(401);
    return response.text();
  };

  it('lets a client in by the document at its id, on any loopback port', async () => {
    serve((id) => document(id));
    const id = newId();
    const { form } = await service.code(id, { redirect_uri: 'http://127.0.0.1:52001/callback' });
    const tokens = tokensOf(await service.postToken(form));
    expect(await service.callMcp(tokens.accessToken)).toBe(200);
    expect((await service.refresh(id, tokens.refreshToken)).status).toBe(200);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.cookie).toBeUndefined();
  });

  it('shows the host of the id at consent', async () => {
    serve((id) => document(id));
    const page = await (await service.open(request(newId()))).answer.text();
    expect(page).toContain('Claude Code');
    expect(page).toContain(new URL(origin).host);
  });

  it('ignores redirect URIs that are not approved, and refuses a client that has none left', async () => {
    const hosted = 'https://claude.ai/api/mcp/auth_callback';
    serve((id) => document(id, { redirect_uris: [hosted, 'http://127.0.0.1/callback'] }));
    const id = newId();
    expect((await service.authorize(request(id))).status).toBe(303);
    const unapproved = await service.authorize(service.request(id, { redirect_uri: hosted }).parameters);
    expect(unapproved.status).toBe(400);
    expect(await unapproved.text()).toContain('npm run clients -- approve');

    serve((none) => document(none, { redirect_uris: [hosted] }));
    expect(await refusal(newId())).toContain('npm run clients -- approve');
  });

  it.each<[string, (id: string) => unknown, string]>([
    ['another client_id', (id) => document(`${id}?`), 'client_id'],
    ['no client_id', (id) => document(id, { client_id: undefined }), 'client_id'],
    ['a secret', (id) => document(id, { client_secret: 'x' }), 'client_secret'],
    [
      'another authentication',
      (id) => document(id, { token_endpoint_auth_method: 'private_key_jwt' }),
      'public',
    ],
    ['no redirect URIs', (id) => document(id, { redirect_uris: [] }), 'redirect_uris'],
    ['a list', () => [], 'object'],
    ['more than 64 KiB', (id) => document(id, { extra: 'x'.repeat(70_000) }), 'over 65536 bytes'],
  ])('refuses a document with %s', async (_name, build, named) => {
    serve(build);
    expect(await refusal(newId())).toContain(named);
  });

  it('refuses answers that are no document: errors, redirects, other types, broken JSON', async () => {
    const id = newId();
    const cases: [number, Record<string, string>, string, string][] = [
      [404, {}, '{}', '404'],
      [302, { location: newId() }, '', 'redirects'],
      [200, { 'content-type': 'text/html' }, '{}', 'application/json'],
      [200, { 'content-type': 'application/json' }, '{', 'not JSON'],
    ];
    for (const [status, headers, body, named] of cases) {
      answer = (response) => {
        response.writeHead(status, headers);
        response.end(body);
      };
      expect(await refusal(`${id}${status}${body.length}${named.length}`)).toContain(named);
    }
  });

  it('does not wait for a host that leaves HTTP', async () => {
    answer = ({ socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    };
    expect(await refusal(newId())).toContain('does not answer');
  });

  it('remembers a failure for a minute, and a document longer', async () => {
    serve(() => []);
    const id = newId();
    await refusal(id);
    await refusal(id);
    expect(requests).toHaveLength(1);
    serve((right) => document(right), { 'cache-control': 'max-age=1' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect((await service.authorize(request(id))).status).toBe(303);
    expect((await service.authorize(request(id))).status).toBe(303);
    expect(requests).toHaveLength(1);
  });

  it('goes on with a document while its host is down, and not when it says something else', async () => {
    serve((right) => document(right));
    const id = newId();
    expect((await service.authorize(request(id))).status).toBe(303);
    answer = (response) => response.destroy();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
    expect((await service.authorize(request(id))).status).toBe(303);
    serve(() => []);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
    await refusal(id);
  });

  it('asks one host no more than twenty times a minute', async () => {
    const limited = await startOAuth({}, { fetchDocument: () => Promise.resolve({ body: [] }) });
    const answers: string[] = [];
    for (let asked = 0; asked < 22; asked += 1)
      answers.push(await refusal(`https://client.example:${8000 + asked}/${asked}`, limited));
    expect(answers.filter((text) => text.includes('Too many'))).toHaveLength(2);
    await limited.close();
  });

  it.each([
    'http://client.example/id',
    'https://client.example',
    'https://client.example/',
    'https://client.example/id#part',
    'https://client.example/id?x=1',
    'https://user@client.example/id',
    'https://client.example/a/../id',
    'https://CLIENT.example/id',
    'https://client.example:443/id',
    `https://client.example/${'a'.repeat(1000)}`,
  ])('takes no other spelling for an id: %s', async (id) => {
    expect(await refusal(id)).toContain('https with a path');
  });

  it('reaches no address of its own network, by name or number', async () => {
    requests = [];
    const port = new URL(origin).port;
    const hosts = [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '[fe80::1]',
      '[::ffff:7f00:1]',
    ];
    for (const name of hosts) {
      expect(await refusal(`https://${name}:${port}/id`, guarded)).toContain('public internet');
    }
    expect(requests).toHaveLength(0);
  });
});

const NOT_PUBLIC = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.2.1 192.168.0.1 198.18.0.1
  203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1
  64:ff9b:1::7f00:1 100::1 100:0:0:1::1 4000::1 fc00::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001::1 2001:db8::1
  2002:7f00:1:: localhost`;

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111'])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each(NOT_PUBLIC.split(/\s+/))('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
