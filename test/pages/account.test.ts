import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startPages, type PagesService } from './start.ts';
import { createVisitor } from './visitor.ts';

const HOUR_SECONDS = 3600;

describe('/account', () => {
  let service: PagesService;
  beforeAll(async () => {
    service = await startPages();
  });
  afterAll(() => service.close());

  async function signedIn(email: string, plan: 'free' | 'pro') {
    const user = await service.addUser(email, plan);
    const visitor = createVisitor(service.url);
    await visitor.signIn(email, PASSWORD);
    return { user, visitor, page: async () => (await visitor.get('/account')).text() };
  }

  function connect(userId: string, clientId: string) {
    const { id: resource } = service.resources.mcp;
    return service.library.stores.grants.add({ userId, clientId, resource, scope: 'mcp:read' });
  }

  it('says what the plan includes, and how to connect a first app', async () => {
    const { page } = await signedIn('free@example.com', 'free');
    const text = await page();
    expect(text).toContain('Plan Free');
    expect(text.match(/Not included/g)).toHaveLength(2);
    expect(text).toContain('No app is connected.');
    expect(text).toContain(service.resources.mcp.id);
  });

  it('lists connected clients by name with their last use, and disconnects one for good', async () => {
    const { user, visitor, page } = await signedIn('mira@example.com', 'pro');
    const { grants, oauth } = service.library.stores;
    const metadata = { client_name: '<b>Studio</b> & more' };
    await oauth.clients.add({ id: 'studio', metadata, createdAt: new Date() });
    const studio = await connect(user.id, 'studio');
    const cli = await connect(user.id, 'cli');
    await connect(user.id, 'https://app.example.com/client.json');
    await grants.touch(studio.id, new Date(Date.now() - 2 * HOUR_SECONDS * 1000));

    const before = await page();
    expect(before).toContain('&#60;b&#62;Studio&#60;/b&#62; &#38; more');
    expect(before).toMatch(/2 hours ago/);
    expect(before).toContain('Command line (npm run token)');
    expect(before).toContain('app.example.com');
    expect(before.match(/never used/g)).toHaveLength(2);

    const answer = await visitor.submit('/account', '/account/disconnect', { connection: studio.id });
    const location = answer.headers.get('location') ?? '';
    expect([answer.status, location]).toEqual([303, '/account?disconnected=yes']);
    const after = await (await visitor.get(location)).text();
    expect(after).toContain('The app is disconnected.');
    expect(after).not.toContain('Studio');
    expect(await grants.grant(studio.id)).toBeUndefined();
    expect(await grants.grant(cli.id)).toEqual(cli);
    expect(service.logged).toContainEqual(
      expect.objectContaining({ event: 'connection.ended', grantId: studio.id, userId: user.id }),
    );
    const again = await visitor.submit('/account', '/account/disconnect', { connection: studio.id });
    expect(again.status).toBe(303);
  });

  it('leaves the connections of others alone, and asks for a form of its own', async () => {
    const other = await service.addUser('other@example.com');
    const grant = await connect(other.id, 'cli');
    const { visitor } = await signedIn('oscar@example.com', 'pro');
    await visitor.submit('/account', '/account/disconnect', { connection: grant.id });
    expect(await service.library.stores.grants.grant(grant.id)).toEqual(grant);
    expect((await visitor.post('/account/disconnect', { connection: grant.id })).status).toBe(403);
  });
});
