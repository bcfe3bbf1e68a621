import { z } from 'zod';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServerFactory,
} from '@modelcontextprotocol/server';

/** A pasted screenshot of 2 MiB is 2.7 MiB in base64; this leaves room for it. */
export const MAX_BODY_BYTES = 4 * 2 ** 20;

const BOTH_TYPES = 'application/json, text/event-stream';

/**
 * Serves one MCP request, stateless, in the protocol revision that the request speaks. A client that does not accept
 * event streams gets one JSON body instead, where the SDK by itself would refuse it with 406.
 */
export type Dispatch = (
  request: Request,
  options: { parsedBody: unknown; authInfo: AuthInfo },
) => Promise<Response>;

/** @param factory makes the server of one request; the request's `authInfo` is handed to it */
export function createDispatch(factory: McpServerFactory, onerror: (error: Error) => void): Dispatch {
  const handler = createMcpHandler(factory, { onerror, maxRequestBodySize: MAX_BODY_BYTES });

  return async (request, options) => {
    const accept = request.headers.get('accept') ?? '*/*';
    const takesStreams = /text\/event-stream|\*\/\*/i.test(accept);
    const accepted = widened(request, accept);
    if (takesStreams) return handler.fetch(accepted, options);
    if (await isLegacyRequest(request, options.parsedBody)) return legacyAsJson(factory, accepted, options);
    // Since 2026-07-28 the answer is one JSON body, unless something is sent ahead of it: here, only progress.
    return handler.fetch(accepted, { ...options, parsedBody: withoutProgressToken(options.parsedBody) });
  };
}

const messageWithMeta = z.looseObject({ params: z.looseObject({ _meta: z.looseObject({}) }) });

function withoutProgressToken(body: unknown): unknown {
  const message = messageWithMeta.safeParse(body).data;
  if (message === undefined) return body;
  const { progressToken: _, ..._meta } = message.params._meta;
  return { ...message, params: { ...message.params, _meta } };
}

/** The SDK wants both media types named; a wildcard, or no header at all, accepts them too (RFC 9110 §12.5.1). */
function widened(request: Request, accept: string): Request {
  if (/application\/json/i.test(accept) && /text\/event-stream/i.test(accept)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', BOTH_TYPES);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

async function legacyAsJson(
  factory: McpServerFactory,
  request: Request,
  options: { parsedBody: unknown; authInfo: AuthInfo },
): Promise<Response> {
  const server = await factory({ era: 'legacy', authInfo: options.authInfo, requestInfo: request });
  // Without sessionIdGenerator the transport is stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}
