import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createDocumentFetch, type FetchDocument } from '../../src/oauth/fetch-document.ts';
import { selfSignedCertificate } from '../support/certificate.ts';

/** An https host of this machine where a client publishes its metadata document. */
export interface DocumentHost {
  /** The client's id. */
  url: string;
  /** How the service gets at it: this machine counts as public, and its certificate is trusted. */
  fetchDocument: FetchDocument;
  /** How often the document was asked for. */
  fetches(): number;
  close(): Promise<void>;
}

/** @param metadata what the document says besides its `client_id` */
export async function startDocumentHost(metadata: Record<string, unknown>): Promise<DocumentHost> {
  const certificate = selfSignedCertificate();
  let fetches = 0;
  const server = createServer(certificate, (_request, response) => {
    fetches += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ client_id: url, ...metadata }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}/oauth/client.json`;
  return {
    url,
    fetchDocument: createDocumentFetch({ isPublic: () => true, ca: certificate.cert }),
    fetches: () => fetches,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
