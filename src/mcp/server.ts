import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import type { User } from '../accounts/directory.ts';
import type { LibraryPorts } from '../library/ports.ts';
import { registerTool } from './tool.ts';
import { getScreenTool } from './tools/get-screen.ts';
import { searchScreensTool } from './tools/search-screens.ts';
import { viewScreensTool } from './tools/view-screens.ts';

/** On whose behalf a request is made. */
export interface Caller {
  user: User;
  clientId: string;
  scopes: ReadonlySet<string>;
  expiresAt: Date;
}

const INSTRUCTIONS = `Vitrine is a library of real app screens (web, iOS, Android) for design research.
Find screens with search_screens: say what the screen is for in plain words ("paywall with a yearly toggle", "empty inbox"), and narrow by pattern, platform, app or colour.
Then look at them with view_screens: one numbered sheet for up to 8 ids. Do not describe a screen's look from its text alone; view it.
get_screen tells everything known of one screen. Cite screens by id.`;

/** One server per request: nothing is remembered between them. */
export function createServerFactory(options: { library: LibraryPorts; docsUrl: string }): McpServerFactory {
  return () => {
    const server = new McpServer(
      {
        name: 'vitrine',
        title: 'Vitrine',
        version: packageJson.version,
        websiteUrl: options.docsUrl,
      },
      { instructions: INSTRUCTIONS },
    );
    registerTool(server, searchScreensTool, options.library);
    registerTool(server, getScreenTool, options.library);
    registerTool(server, viewScreensTool, options.library);
    return server;
  };
}
