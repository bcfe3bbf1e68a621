import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Forwards every request to the service with an access token added: the conformance suite knows no tokens for servers. A
 * foreign Host stays as it is, so that the service's own check meets it.
 */
export async function startBearerProxy(
  target: URL,
  token: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    const own = incoming.headers.host === host();
    const forwarded = request(
      target,
      {
        path: incoming.url ?? '/',
        method: incoming.method ?? 'GET',
        headers: {
          ...incoming.headers,
          authorization: `Bearer ${token}`,
          ...(own ? { host: target.host } : {}),
        },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const host = () => `localhost:${(server.address() as AddressInfo).port}`;
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://${host()}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
