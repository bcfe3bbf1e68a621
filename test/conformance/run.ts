// Runs the official conformance suite against the endpoint as it is, bearer check included. `npm run test:conformance`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { createUserDirectory } from '../../src/accounts/directory.ts';
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts';
import { createServer } from '../../src/mcp/server.ts';
import type { RequestMiddleware } from '../../src/middleware/state.ts';
import { createTokenVerifier } from '../../src/oauth/verify-token.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startBearerProxy } from './bearer-proxy.ts';
import { registerFixtures } from './fixtures.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');

let endpoint: RequestMiddleware | undefined;
const service = await startTestService({ mcp: (ctx, next) => endpoint?.(ctx, next) });
endpoint = createEndpoint(service);
const proxy = await startBearerProxy(new URL(service.url), await service.token({ resource: 'mcp' }));
try {
  for (const revision of REVISIONS) {
    const baseline = join(import.meta.dirname, `baseline-${revision}.yml`);
    const code = await run([
      '--url',
      `${proxy.url}/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      baseline,
    ]);
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await proxy.close();
  await service.close();
}

function createEndpoint({ url, library, resources, keySet }: TestService): RequestMiddleware {
  const { grants, accounts } = library.stores;
  const now = () => new Date();
  return createMcpEndpoint({
    library: library.library,
    verifier: createTokenVerifier({ issuer: url, resource: resources.mcp, keySet, grants, now }),
    directory: createUserDirectory(accounts, now),
    resource: resources.mcp,
    mcpPlans: ['pro'],
    accountUrl: `${url}/account`,
    docsUrl: `${url}/docs`,
    rateLimit: () => Promise.resolve(),
    log: pino({ level: 'silent' }),
    serverFor(contents) {
      const server = createServer(contents);
      registerFixtures(server);
      return server;
    },
  });
}

async function run(args: string[]): Promise<number> {
  const script = join(dirname(PACKAGE), 'dist/index.js');
  const child = spawn(process.execPath, [script, 'server', ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
