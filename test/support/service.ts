import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createUserDirectory } from '../../src/accounts/directory.ts';
import { createApp } from '../../src/app.ts';
import type { ScreenRecord } from '../../src/domain/screen.ts';
import type { Plan } from '../../src/domain/vocabulary.ts';
import { createRateLimit } from '../../src/middleware/rate-limit.ts';
import type { RequestMiddleware } from '../../src/middleware/state.ts';
import { issueAccessToken } from '../../src/oauth/issue-token.ts';
import { createKeySet, ensureSigningKeys, type KeySet } from '../../src/oauth/key-set.ts';
import { protectedResources, type ProtectedResources } from '../../src/oauth/resources.ts';
import { createTokenVerifier } from '../../src/oauth/verify-token.ts';
import { openLibrary, type OpenLibrary } from '../../src/wire.ts';
import { APPS, FLOWS, GRID_SCREENS, TEXT_SCREENS } from './fixtures.ts';

export interface TestServiceOptions {
  /** Absent: everything that fixtures.ts has. */
  screens?: readonly ScreenRecord[];
  downloadPlans?: Plan[];
  /** Requests a minute and user; absent: no limit. */
  rateLimit?: number;
  allowedOrigins?: string[];
  mcp?: RequestMiddleware;
}

/** The service on a free port of this machine, over a library of its own in a temporary folder. */
export interface TestService {
  /** Also the configured BASE_URL. */
  url: string;
  library: OpenLibrary;
  keySet: KeySet;
  resources: ProtectedResources;
  /** Everything logged so far, one object a line. */
  logged: Record<string, unknown>[];
  /** Moves the service's clock. */
  advance(seconds: number): void;
  /** The service's time. */
  now(): Date;
  /** An access token of a new account. */
  token(given?: { plan?: Plan; resource?: 'api' | 'mcp' }): Promise<string>;
  /** GET below /api/v1 with a token on plan pro, unless the request says otherwise. */
  get(path: string, init?: RequestInit): Promise<Response>;
  addScreens(screens: readonly ScreenRecord[]): Promise<void>;
  close(): Promise<void>;
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-test-'));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 1000);
  const library = await openLibrary({
    dataDir,
    storageUrl: `${url}/files`,
    embeddingModel: 'builtin',
    ocrWorkers: 1,
  });
  const { accounts, grants, signingKeys, catalogue } = library.stores;
  await ensureSigningKeys(signingKeys, now());
  const keySet = createKeySet(signingKeys, now);
  const resources = protectedResources({ baseUrl: url, mcpUrl: url });

  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = createApp({
    config: {
      baseUrl: url,
      mcpUrl: url,
      allowedOrigins: options.allowedOrigins ?? [],
      downloadPlans: options.downloadPlans ?? ['pro', 'team'],
      trustProxy: false,
    },
    library: library.library,
    files: library.images,
    users: createUserDirectory(accounts),
    keySet,
    resources,
    apiTokens: createTokenVerifier({ issuer: url, resource: resources.api, keySet, grants, now }),
    rateLimit: createRateLimit(options.rateLimit ?? 0),
    mcp: options.mcp ?? ((_ctx, next) => next()),
    log,
    audit: log.child({ audit: true }),
    now,
  });
  server.on('request', app.callback());

  async function addScreens(screens: readonly ScreenRecord[]): Promise<void> {
    await catalogue.save({ screens });
    await index(library, screens);
  }

  async function token({ plan = 'pro', resource = 'api' }: { plan?: Plan; resource?: 'api' | 'mcp' } = {}) {
    const email = `${crypto.randomUUID()}@example.com`;
    const user = await accounts.add({ email, plan, passwordHash: 'none' });
    const audience = resources[resource];
    const grant = await grants.add({
      userId: user.id,
      clientId: 'test',
      resource: audience.id,
      scope: audience.scopes.join(' '),
    });
    return issueAccessToken({ issuer: url, resource: audience, grant, keySet, now: now() });
  }

  await catalogue.save({ apps: APPS });
  await addScreens(options.screens ?? [...GRID_SCREENS, ...TEXT_SCREENS]);
  if (options.screens === undefined) await catalogue.save({ flows: FLOWS });
  const defaultToken = await token();

  return {
    url,
    library,
    keySet,
    resources,
    logged,
    now,
    token,
    addScreens,
    advance: (seconds) => {
      ahead += seconds;
    },
    get: (path, init = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${defaultToken}`, ...init.headers },
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await library.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function index({ library }: OpenLibrary, screens: readonly ScreenRecord[]): Promise<void> {
  const stored = await library.catalogue.versionedScreens(screens.map((screen) => screen.id));
  await library.search.upsert(stored.map(({ record, version }) => ({ ...record, version })));
}
