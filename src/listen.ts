import { createServer, type RequestListener, type Server } from 'node:http';

/** A host may lack IPv6; listening on IPv4 alone is then all there is. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Longer than proxies and clients keep an idle connection, most of them 60 s or less: whoever closes it first is never met
 * by a request on its way, which would fail.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Listens on every address. The first must work; a further one is left out where the machine does not have it.
 * Throws the server's error, such as EADDRINUSE, with nothing left listening.
 */
export async function listen(
  handler: RequestListener,
  hosts: readonly string[],
  port: number,
): Promise<Server[]> {
  const servers: Server[] = [];
  try {
    for (const host of hosts) {
      const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handler);
      await listenOn(server, host, port).then(
        () => servers.push(server),
        (error: NodeJS.ErrnoException) => {
          if (servers.length === 0 || !NO_SUCH_ADDRESS.has(error.code ?? '')) throw error;
        },
      );
    }
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
  return servers;
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: host.includes(':') }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no new connection, lets requests under way finish, and drops idle connections. */
export async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    ),
  );
}
