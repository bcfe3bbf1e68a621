import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { EngineUnavailableError, NotFoundError, VitrineError } from '../domain/errors.ts';
import type { LibraryPorts } from '../library/ports.ts';
import type { Waiting } from '../library/waiting.ts';
import { progressFor } from './progress.ts';

/** What a tool may work with. */
export interface ToolContext {
  library: LibraryPorts;
  /** The client: its signal is aborted when it has hung up. */
  waiting: Waiting;
}

/** A tool as an assistant sees it. `run` gets checked arguments. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject | undefined> {
  /** snake_case. */
  name: string;
  title: string;
  /** What it is for and how to use it well, key words first: clients cut descriptions. */
  description: string;
  input: Input;
  output: Output;
  run(args: z.output<Input>, context: ToolContext): Promise<ToolAnswer<Output>>;
}

export type ToolAnswer<Output extends z.ZodObject | undefined> = Output extends z.ZodObject
  ? { text: string; structured: z.input<Output> }
  : { content: CallToolResult['content'] };

/** Every tool only reads this library, so any may be repeated. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool whose argument types were checked where it is defined. */
export interface AnyTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject | undefined;
  /** @param args as `input` parsed them */
  call(args: Record<string, unknown>, context: ToolContext): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject | undefined>(
  tool: Tool<Input, Output>,
): AnyTool {
  const { name, title, description, input, output } = tool;
  return {
    name,
    title,
    description,
    input,
    output,
    call: async (args, context) => toResult(await tool.run(args as z.output<Input>, context)),
  };
}

export function registerTool(server: McpServer, tool: AnyTool, library: LibraryPorts): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input,
      ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
      annotations: { title: tool.title, ...ANNOTATIONS },
    },
    async (args, { mcpReq }) => {
      try {
        const onProgress = progressFor(mcpReq);
        const waiting = { signal: mcpReq.signal, ...(onProgress === undefined ? {} : { onProgress }) };
        return await tool.call(args, { library, waiting });
      } catch (error) {
        return toFailure(error);
      }
    },
  );
}

function toResult(answer: ToolAnswer<z.ZodObject> | ToolAnswer<undefined>): CallToolResult {
  if ('content' in answer) return { content: answer.content };
  return { content: [{ type: 'text', text: answer.text }], structuredContent: answer.structured };
}

/** Only our own words reach the model; anything else is a defect and goes to the log as one. */
function toFailure(error: unknown): CallToolResult {
  if (!(error instanceof VitrineError)) throw error;
  return { isError: true, content: [{ type: 'text', text: `${error.message}${adviceFor(error)}` }] };
}

function adviceFor(error: VitrineError): string {
  if (error instanceof NotFoundError) {
    const search = error.kind === 'flow' ? 'search_flows' : 'search_screens';
    return ` Ids come from ${search}; search again.`;
  }
  return error instanceof EngineUnavailableError
    ? ` Try again in ${error.retryAfterSeconds} seconds; the other tools may still answer.`
    : '';
}
