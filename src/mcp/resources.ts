import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { VitrineError } from '../domain/errors.ts';
import { getFlow } from '../library/get-flow.ts';
import { getScreen } from '../library/get-screen.ts';
import { listVocabulary } from '../library/list-vocabulary.ts';
import { viewScreens } from '../library/view-screens.ts';
import type { Completions } from './completions.ts';
import { GUIDE } from './guide.ts';
import { VITRINE_ICON } from './icons.ts';
import { cutCaption } from './screen-text.ts';
import type { ServerContents } from './server.ts';

const MAX_LISTED_PATTERNS = 1000;
/** A flow of the library may have a thousand steps; their ids are enough to go on from. */
const MAX_FLOW_SCREENS = 50;

export function registerResources(server: McpServer, contents: ServerContents, complete: Completions): void {
  const { library } = contents;
  server.registerResource(
    'guide',
    'vitrine://guide',
    {
      title: 'Guide to design research with Vitrine',
      description: 'Which tool answers which question, and how to search well.',
      mimeType: 'text/markdown',
      icons: VITRINE_ICON,
    },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: GUIDE }] }),
  );

  server.registerResource(
    'patterns',
    'vitrine://patterns',
    {
      title: 'UI patterns and flow types',
      description: 'Every pattern and flow type of the library with exact counts.',
      mimeType: 'application/json',
      icons: VITRINE_ICON,
    },
    async ({ href }) => {
      const { patterns, flowTypes } = await listVocabulary(library);
      return json(href, {
        patterns: patterns.slice(0, MAX_LISTED_PATTERNS),
        flowTypes: flowTypes.slice(0, MAX_LISTED_PATTERNS),
      });
    },
  );

  server.registerResource(
    'account',
    'vitrine://account',
    {
      title: 'The account in use',
      description: 'Plan, scopes and expiry of this connection, and where the user changes them.',
      mimeType: 'application/json',
      icons: VITRINE_ICON,
    },
    ({ href }) => json(href, account(contents)),
  );

  server.registerResource(
    'screen',
    new ResourceTemplate('vitrine://screens/{id}', { list: undefined, complete: { id: complete.screenId } }),
    {
      title: 'A screen',
      description: 'Everything known of one screen.',
      mimeType: 'application/json',
      icons: VITRINE_ICON,
    },
    ({ href }, { id }) =>
      orNotFound(href, async () => {
        const { captionText, ...screen } = await getScreen(library, idOf(id));
        const text = captionText === undefined ? {} : { captionText: cutCaption(captionText) };
        return json(href, { ...screen, ...text });
      }),
  );

  server.registerResource(
    'flow',
    new ResourceTemplate('vitrine://flows/{id}', { list: undefined, complete: { id: complete.flowId } }),
    {
      title: 'A flow',
      description: 'One flow with the ids and patterns of its screens in order.',
      mimeType: 'application/json',
      icons: VITRINE_ICON,
    },
    ({ href }, { id }) =>
      orNotFound(href, async () => {
        const { screens, screenIds, ...flow } = await getFlow(library, idOf(id));
        const steps = screens.slice(0, MAX_FLOW_SCREENS).map((screen) => ({
          id: screen.id,
          pattern: screen.pattern,
        }));
        return json(href, { ...flow, stepCount: screenIds.length, steps });
      }),
  );

  server.registerResource(
    'image',
    new ResourceTemplate('vitrine://images/{id}', { list: undefined, complete: { id: complete.screenId } }),
    {
      title: 'The picture of a screen',
      description: 'WebP, by the id of the screen.',
      mimeType: 'image/webp',
      icons: VITRINE_ICON,
    },
    ({ href }, { id }) =>
      orNotFound(href, async () => {
        const view = await viewScreens(library, { of: { ids: [idOf(id)] }, as: 'separate', size: 'large' });
        const blob = Buffer.from(view.pictures[0] ?? []).toString('base64');
        return { contents: [{ uri: href, mimeType: 'image/webp', blob }] };
      }),
  );
}

function account({ caller, plansWithMcp, accountUrl }: ServerContents) {
  const { user, clientId, scopes, expiresAt } = caller;
  return {
    ...(user.email === undefined ? {} : { email: user.email }),
    plan: user.plan,
    plansWithMcp,
    scopes: [...scopes],
    opens: {
      'mcp:read': scopes.has('mcp:read') ? 'resources, prompts and completions are open' : 'not granted',
      'mcp:tools': scopes.has('mcp:tools') ? 'tools may be called' : 'not granted',
    },
    clientId,
    tokenExpiresAt: expiresAt.toISOString(),
    accountUrl,
    help: `The user sees and changes plan and connected clients at ${accountUrl}. A scope that was not granted comes with connecting anew.`,
  };
}

function json(uri: string, value: unknown) {
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 1) }] };
}

/** The SDK hands template variables over as they stand in the address. */
function idOf(variable: string | string[] | undefined): string {
  const text = Array.isArray(variable) ? variable.join(',') : (variable ?? '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function orNotFound<T>(uri: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof VitrineError && error.code === 'not_found') {
      throw new ResourceNotFoundError(uri, error.message);
    }
    throw error;
  }
}
