import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentWith } from '../support/environment.ts';
import { startOAuth, type OAuthService } from './client.ts';

const ROOT = join(import.meta.dirname, '../..');
const URI = 'https://claude.ai/api/mcp/auth_callback';

/** Beside a running server, as an operator does it. */
describe('npm run clients', () => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuth();
  });
  afterAll(() => service.close());

  async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = environmentWith(service.sharing);
    try {
      const output = await promisify(execFile)(process.execPath, ['scripts/clients.ts', ...args], {
        cwd: ROOT,
        env,
      });
      return { code: 0, ...output };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }

  it('approves a redirect URI for the running server, lists it and takes it back', async () => {
    expect((await service.register({ redirect_uris: [URI] })).status).toBe(400);
    expect((await run('approve', URI)).code).toBe(0);
    expect((await run('approve', URI)).code).toBe(0);
    expect((await run('approved')).stdout).toBe(`${URI}\n`);
    expect((await service.register({ redirect_uris: [URI] })).status).toBe(201);
    expect((await run('withdraw', URI)).code).toBe(0);
    expect((await service.register({ redirect_uris: [URI] })).status).toBe(400);
    const again = await run('withdraw', URI);
    expect(again.code).toBe(64);
    expect(again.stderr).toContain('clients -- approved');
  });

  it.each([
    ['http://evil.example/callback', 'https'],
    ['http://localhost/callback', 'without approval'],
    ['javascript:alert(1)', 'scheme'],
    ['claude', 'absolute'],
  ])('approves not %s, and says why', async (uri, why) => {
    const { code, stderr } = await run('approve', uri);
    expect(code).toBe(64);
    expect(stderr).toContain(why);
  });

  it('lists clients, and removes one with its connections at once', async () => {
    const client = await service.newClient();
    const { refreshToken } = await service.connect(client);
    const { stdout } = await run('list');
    expect(stdout).toContain(client);
    expect(stdout).toContain('Drawing Board');
    expect(stdout).toContain('last used');
    expect((await run('remove', client)).code).toBe(0);
    expect((await service.refresh(client, refreshToken)).status).toBe(401);
    expect((await run('remove', client)).code).toBe(64);
  });
});
