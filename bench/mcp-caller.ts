import { Agent, request } from 'node:http';

/** The result of a tool, as far as a measurement looks at it. */
export interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

/** Calls tools of one MCP server as one client does, over one connection. */
export interface McpCaller {
  /** Throws when the server refuses the call or the tool fails. */
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): void;
}

/**
 * A client that does as little as it can, so that the server is what is measured.
 * @param url of the MCP endpoint
 * @param headers beside those of the protocol
 */
export function createMcpCaller(url: string, headers: Record<string, string>): McpCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let id = 0;
  return {
    async call(name, args) {
      id += 1;
      const params = { name, arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      const answer = messageOf(await post(agent, url, headers, body));
      if (answer.result === undefined || answer.result.isError === true) {
        throw new Error(`${name} failed: ${JSON.stringify(answer).slice(0, 300)}`);
      }
      return answer.result;
    },
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`The server answered ${response.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The answer itself: the body, or the last event of a stream. */
function messageOf(text: string): { result?: ToolResult } {
  const events = [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data);
  return JSON.parse(events.at(-1) ?? text) as { result?: ToolResult };
}
