import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A native client's end: waits at a loopback address for the browser to come back. */
export interface Callback {
  url: string;
  /** Parameters of each visit. */
  visits: URLSearchParams[];
  close(): Promise<void>;
}

export async function startCallback(address: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<Callback> {
  const visits: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/callback') visits.push(searchParams);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Connected</title><h1>You can close this page</h1>');
  });
  server.listen(0, address);
  await once(server, 'listening');
  const host = address === '::1' ? '[::1]' : address;
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/callback`,
    visits,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Registers a client; returns its id. */
export async function registerClient(url: string, name: string, redirectUris: string[]): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: redirectUris,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    }),
  });
  const body = (await response.json()) as { client_id?: string };
  if (body.client_id === undefined) throw new Error(`Not registered: ${JSON.stringify(body)}`);
  return body.client_id;
}

/** An authorization request, and what redeems its code. */
export function authorization(
  url: string,
  request: { clientId: string; redirectUri: string; extra?: Record<string, string> },
) {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const { clientId, redirectUri, extra } = request;
  const resource = `${url}/mcp`;
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    scope: 'mcp:read mcp:tools',
    ...extra,
  });
  return {
    url: `${url}/oauth/authorize?${parameters.toString()}`,
    state,
    async redeem(code: string): Promise<{ status: number; body: Record<string, unknown> }> {
      const response = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          resource,
        }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
