import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { ScreenRecord } from '../../src/domain/screen.ts';
import type { Plan } from '../../src/domain/vocabulary.ts';
import { indexPending } from '../../src/library/index-pending.ts';
import type { RequestMiddleware } from '../../src/middleware/state.ts';
import type { FetchDocument } from '../../src/oauth/fetch-document.ts';
import { issueAccessToken } from '../../src/oauth/issue-token.ts';
import { createKeySet, type KeySet } from '../../src/oauth/key-set.ts';
import type { AuthorizationServer } from '../../src/oauth/provider.ts';
import type { ProtectedResources } from '../../src/oauth/resources.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import { createServices, openLibrary, type OpenLibrary } from '../../src/wire.ts';
import { openTestEngines } from './engines.ts';
import { APPS, FLOWS, GRID_SCREENS, TEXT_SCREENS } from './fixtures.ts';

export interface TestServiceOptions {
  /** Absent: everything that fixtures.ts has. */
  screens?: readonly ScreenRecord[];
  /** As an operator sets it, RATE_LIMIT for one (0 unless given). BASE_URL is `url` unless given. */
  settings?: Record<string, string>;
  /** Instead of the MCP endpoint. */
  mcp?: RequestMiddleware;
  /** Instead of reaching public hosts. */
  fetchDocument?: FetchDocument;
}

/** The service on a free port of this machine, over a library of its own in a temporary folder. */
export interface TestService {
  /** Also the configured BASE_URL, unless the settings have another. */
  url: string;
  /** Where the files of its library are. */
  dataDir: string;
  /** Settings of another process that opens the same library. */
  sharing: Record<string, string>;
  library: OpenLibrary;
  keySet: KeySet;
  resources: ProtectedResources;
  /** Everything logged so far, one object a line. */
  logged: Record<string, unknown>[];
  /** Moves the service's clock. */
  advance(seconds: number): void;
  /** An access token of a new account. */
  token(given?: { plan?: Plan; resource?: 'api' | 'mcp'; scope?: string }): Promise<string>;
  /** GET below /api/v1 with a token on plan pro, unless the request says otherwise. */
  get(path: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Response>;
  addScreens(screens: readonly ScreenRecord[]): Promise<void>;
  /** What the server does every hour. */
  collect: AuthorizationServer['collect'];
  close(): Promise<void>;
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-test-'));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engines = await openTestEngines();
  const sharing = { ...engines.settings, DATA_DIR: dataDir };
  const config = readConfig({ RATE_LIMIT: '0', BASE_URL: url, ...sharing, ...options.settings });

  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 1000);
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const library = await openLibrary(config);
  const services = await createServices(library, config, log, {
    now,
    ...(options.fetchDocument === undefined ? {} : { fetchDocument: options.fetchDocument }),
  });
  server.on('request', createApp({ ...services, mcp: options.mcp ?? services.mcp }).callback());

  const { accounts, grants, signingKeys, catalogue } = library.stores;
  const { resources } = services;
  const keySet = createKeySet(signingKeys, now);

  async function addScreens(screens: readonly ScreenRecord[]): Promise<void> {
    await catalogue.save({ screens });
    for (const target of INDEX_TARGETS) await indexPending(library.library, target);
  }

  async function token(given: Parameters<TestService['token']>[0] = {}): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const user = await accounts.add({ email, plan: given.plan ?? 'pro', passwordHash: 'none' });
    const resource = resources[given.resource ?? 'api'];
    const scope = given.scope ?? resource.scopes.join(' ');
    const grant = await grants.add({ userId: user.id, clientId: 'test', resource: resource.id, scope });
    return issueAccessToken({ issuer: config.baseUrl, resource, grant, keySet, now: now() });
  }

  await catalogue.save({ apps: APPS });
  await addScreens(options.screens ?? [...GRID_SCREENS, ...TEXT_SCREENS]);
  if (options.screens === undefined) await catalogue.save({ flows: FLOWS });
  const defaultToken = await token();

  return {
    url,
    dataDir,
    sharing,
    library,
    keySet,
    resources,
    logged,
    token,
    addScreens,
    collect: () => services.authorizationServer.collect(),
    advance: (seconds) => {
      ahead += seconds;
    },
    get: (path, { headers, ...init } = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${defaultToken}`, ...headers },
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await library.close();
      await engines.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
