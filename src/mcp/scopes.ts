/** Methods that any MCP scope opens: a client must get far enough to learn what it lacks. */
const OPEN_METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping', 'tools/list']);

/**
 * Scopes that a JSON-RPC body needs, a batch all of its messages together. Empty: any scope of the resource will do.
 * Bodies that are no JSON-RPC need none; the protocol layer answers them.
 */
export function requiredScopes(body: unknown): string[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return [...new Set(messages.flatMap((message) => scopeOf(methodOf(message)) ?? []))];
}

function methodOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined;
  return typeof message.method === 'string' ? message.method : undefined;
}

function scopeOf(method: string | undefined): string | undefined {
  if (method === undefined || OPEN_METHODS.has(method) || method.startsWith('notifications/'))
    return undefined;
  return method === 'tools/call' ? 'mcp:tools' : 'mcp:read';
}
