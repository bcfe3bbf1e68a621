import { McpServer } from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import type { User } from '../accounts/directory.ts';
import type { LibraryPorts } from '../library/ports.ts';
import { createCompletions } from './completions.ts';
import { INSTRUCTIONS } from './guide.ts';
import { VITRINE_ICON } from './icons.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerTool, type AnyTool } from './tool.ts';
import { compareFlowsTool } from './tools/compare-flows.ts';
import { findSimilarScreensTool } from './tools/find-similar-screens.ts';
import { getFlowTool } from './tools/get-flow.ts';
import { getScreenTool } from './tools/get-screen.ts';
import { listFiltersTool } from './tools/list-filters.ts';
import { searchFlowsTool } from './tools/search-flows.ts';
import { searchScreensTool } from './tools/search-screens.ts';
import { viewScreensTool } from './tools/view-screens.ts';

/** On whose behalf a request is made. */
export interface Caller {
  user: User;
  clientId: string;
  scopes: ReadonlySet<string>;
  expiresAt: Date;
}

/** What the server's answers are made of. */
export interface ServerContents {
  library: LibraryPorts;
  caller: Caller;
  docsUrl: string;
  accountUrl: string;
  plansWithMcp: readonly string[];
}

/** In the order that a newcomer would need them. */
export const TOOLS: readonly AnyTool[] = [
  searchScreensTool,
  viewScreensTool,
  getScreenTool,
  findSimilarScreensTool,
  searchFlowsTool,
  getFlowTool,
  compareFlowsTool,
  listFiltersTool,
];

/** One server per request: nothing is remembered between them. */
export function createServer(contents: ServerContents): McpServer {
  const server = new McpServer(
    {
      name: 'vitrine',
      title: 'Vitrine',
      version: packageJson.version,
      websiteUrl: contents.docsUrl,
      icons: VITRINE_ICON,
    },
    { instructions: INSTRUCTIONS },
  );
  const complete = createCompletions(contents.library);
  for (const tool of TOOLS) registerTool(server, tool, contents.library);
  registerResources(server, contents, complete);
  registerPrompts(server, complete);
  return server;
}
