import { pathToFileURL } from 'node:url';
import { InMemoryTransport, type Tool } from '@modelcontextprotocol/server';
import { estimateTokens } from '../src/mcp/answer-size.ts';
import { createServer, type ServerContents } from '../src/mcp/server.ts';

/** The tools as a client gets them. Nothing of the library is looked at for that. */
export async function listTools(): Promise<Tool[]> {
  const server = createServer({} as ServerContents);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { promise, resolve } = Promise.withResolvers<{ result: { tools: Tool[] } }>();
  // A transport has one listener, no event target.
  Object.assign(near, { onmessage: resolve });
  await server.connect(far);
  await near.start();
  await near.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const { result } = await promise;
  await server.close();
  return result.tools;
}

/** Prints what the listing of tools costs an assistant in every conversation. */
async function main(): Promise<void> {
  const tools = await listTools();
  for (const tool of tools) {
    const tokens = estimateTokens(JSON.stringify(tool));
    const characters = tool.description?.length ?? 0;
    process.stdout.write(`${tool.name}: ${tokens} tokens, description of ${characters} characters\n`);
  }
  process.stdout.write(`all ${tools.length} tools: ${estimateTokens(JSON.stringify(tools))} tokens\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
