/** What the registration endpoint answers. */
export interface Registration {
  status: number;
  body: { client_id?: string; error?: string; error_description?: string } & Record<string, unknown>;
}

export async function register(url: string, metadata: Record<string, unknown>): Promise<Registration> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as Registration['body'] };
}

/** `tools/list` with no `initialize` before it. */
export function callMcp(
  url: string,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
}
