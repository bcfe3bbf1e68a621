import { join } from 'node:path';
import type { Logger } from 'pino';
import { generatePassword, hashPassword } from './accounts/password.ts';
import { DEFAULT_BASE_URL, DEFAULT_DATA_DIR, isLoopbackOrigin, type Config } from './config.ts';
import { createIngest } from './ingest/ingest.ts';
import type { OpenLibrary } from './wire.ts';

const SAMPLE_DIR = join(import.meta.dirname, '../sample');
const DEMO_EMAIL = 'demo@example.com';
const PROGRESS_EVERY_SCREENS = 20;

/** What a newcomer can do at once; for people, so it goes to the terminal as it is. */
export function greeting(
  config: Pick<Config, 'baseUrl' | 'mcpUrl' | 'dataDir'>,
  demo: DemoAccount | undefined,
): string {
  const lines = [`Vitrine is at ${config.baseUrl} (API documentation: ${config.baseUrl}/docs)`];
  if (demo === undefined) return `${lines.join('\n')}\n`;
  // The command that is pasted runs in a shell of its own: it needs the settings that this process was given.
  const settings = [
    ...(config.baseUrl === DEFAULT_BASE_URL ? [] : [`BASE_URL=${config.baseUrl} `]),
    ...(config.dataDir === DEFAULT_DATA_DIR ? [] : [`DATA_DIR='${config.dataDir}' `]),
  ].join('');
  const token = `$(${settings}npm run -s token -- --user ${demo.email} --resource api)`;
  lines.push(
    '',
    `Demo account: ${demo.email}, password ${demo.password} (shown this once), plan pro`,
    '',
    'Search over REST:',
    `  curl -H "Authorization: Bearer ${token}" "${config.baseUrl}/api/v1/screens?q=welcome&limit=3"`,
    '',
    'Search from an assistant (Claude Code); then /mcp there opens the browser to sign in:',
    `  claude mcp add --transport http vitrine ${config.mcpUrl}/mcp`,
  );
  return `${lines.join('\n')}\n`;
}

export interface DemoAccount {
  email: string;
  password: string;
}

/** Makes the demo account on an installation that nobody but this machine reaches and nobody has an account on. */
export async function createDemoAccount(
  { stores: { accounts } }: OpenLibrary,
  baseUrl: string,
): Promise<DemoAccount | undefined> {
  if (!isLoopbackOrigin(baseUrl) || (await accounts.users()).length > 0) return undefined;
  const password = generatePassword();
  await accounts.add({ email: DEMO_EMAIL, plan: 'pro', passwordHash: await hashPassword(password) });
  return { email: DEMO_EMAIL, password };
}

/**
 * Loads the sample library while the server runs. The recognised text ships with it, so no OCR is needed. Interrupted,
 * it goes on at the next start.
 */
export async function loadSample(open: OpenLibrary, log: Logger, signal: AbortSignal): Promise<void> {
  const { catalogue, journal } = open.stores;
  const ingest = createIngest({
    catalogue,
    journal,
    images: open.images,
    reader: undefined,
    onProgress: ({ done, total }) => {
      if (done % PROGRESS_EVERY_SCREENS === 0 || done === total)
        log.info({ done, total }, 'loading the sample library');
    },
  });
  const report = await ingest.run(SAMPLE_DIR, { signal });
  log.info(
    { screens: report.screens, flows: report.flows, rejected: report.rejects.length },
    'the sample library is loaded',
  );
}
