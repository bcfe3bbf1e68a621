import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Accounts, Grants } from '../../src/ports/accounts.ts';
import type { OAuthStore } from '../../src/ports/oauth-store.ts';

export interface OpenOAuthStore {
  oauth: OAuthStore;
  accounts: Accounts;
  grants: Grants;
  close(): Promise<void>;
}

const NOW = new Date('2026-05-01T00:00:00.000Z');
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const RESOURCE = 'https://vitrine.example.com/mcp';

/** What src/ports/oauth-store.ts promises, run on every engine. */
export function oauthStoreContract(name: string, open: () => Promise<OpenOAuthStore>): void {
  describe(`oauth store: ${name}`, () => {
    let stores: OpenOAuthStore;
    let userId: string;
    beforeEach(async () => {
      stores = await open();
      ({ id: userId } = await stores.accounts.add({
        email: 'a@example.com',
        plan: 'pro',
        passwordHash: 'x',
      }));
    });
    afterEach(() => stores.close());

    const grant = (id: string, clientId = 'client') => ({
      id,
      userId,
      clientId,
      resource: RESOURCE,
      scope: 'mcp:read mcp:tools',
      createdAt: NOW,
      expiresAt: later(365),
    });
    const refresh = (idHash: string, grantId = 'g1', expiresAt = later(30)) => ({
      kind: 'RefreshToken' as const,
      idHash,
      payload: { nested: { scope: 'mcp:read' } },
      grantId,
      expiresAt,
    });

    describe('records', () => {
      it('keeps a record under its kind and hash, and replaces it', async () => {
        const { records, grants } = stores.oauth;
        await grants.save(grant('g1'));
        expect(await records.save(refresh('h1'))).toBe(true);
        expect(await records.find('RefreshToken', 'h1')).toEqual(refresh('h1'));
        expect(await records.find('AuthorizationCode', 'h1')).toBeUndefined();
        expect(await records.find('RefreshToken', 'h2')).toBeUndefined();

        expect(await records.save({ ...refresh('h1'), payload: { other: true } })).toBe(true);
        expect((await records.find('RefreshToken', 'h1'))?.payload).toEqual({ other: true });
        await records.remove('RefreshToken', 'h1');
        expect(await records.find('RefreshToken', 'h1')).toBeUndefined();
        await records.remove('RefreshToken', 'h1');
      });

      it('finds a session by its other name, under its kind alone', async () => {
        const { records } = stores.oauth;
        const session = {
          kind: 'Session' as const,
          idHash: 's1',
          payload: {},
          uid: 'u1',
          expiresAt: later(1),
        };
        await records.save(session);
        expect(await records.findByUid('Session', 'u1')).toEqual(session);
        expect(await records.findByUid('Interaction', 'u1')).toBeUndefined();
        expect(await records.findByUid('Session', 'u2')).toBeUndefined();
      });

      it('replaces a record by its successor for exactly one caller, both or neither', async () => {
        const { records, grants } = stores.oauth;
        await grants.save(grant('g1'));
        await records.save(refresh('h1'));
        const results = await Promise.all(
          ['n1', 'n2', 'n3'].map((hash) => records.replace('RefreshToken', 'h1', refresh(hash), NOW)),
        );
        expect(results.toSorted()).toEqual(['lost', 'lost', 'replaced']);
        const successors = await Promise.all(
          ['n1', 'n2', 'n3'].map((hash) => records.find('RefreshToken', hash)),
        );
        expect(successors.filter((record) => record !== undefined)).toHaveLength(1);
        expect((await records.find('RefreshToken', 'h1'))?.consumedAt).toEqual(NOW);
        await records.save(refresh('h1'));
        expect((await records.find('RefreshToken', 'h1'))?.consumedAt).toEqual(NOW);
        expect(await records.replace('RefreshToken', 'ghost', refresh('n4'), NOW)).toBe('lost');
        expect(await records.find('RefreshToken', 'n4')).toBeUndefined();
      });

      it('stores nothing for a grant that is not there', async () => {
        expect(await stores.oauth.records.save(refresh('h1', 'revoked'))).toBe(false);
        expect(await stores.oauth.records.find('RefreshToken', 'h1')).toBeUndefined();
      });
    });

    describe('grants', () => {
      it('are the grants that access tokens are checked against', async () => {
        await stores.oauth.grants.save(grant('g1'));
        expect(await stores.oauth.grants.find('g1')).toEqual(grant('g1'));
        expect(await stores.grants.grant('g1')).toMatchObject({ id: 'g1', userId, resource: RESOURCE });
        expect(await stores.grants.grantsOf(userId)).toHaveLength(1);

        await stores.oauth.grants.save({ ...grant('g1'), scope: 'mcp:read' });
        expect((await stores.grants.grant('g1'))?.scope).toBe('mcp:read');
      });

      it('leave grants of the command line to it', async () => {
        const { id } = await stores.grants.add({
          userId,
          clientId: 'cli',
          resource: RESOURCE,
          scope: 'mcp:read',
        });
        expect(await stores.oauth.grants.find(id)).toBeUndefined();
        await stores.oauth.collect({ now: later(900), unusedSince: later(900), idleSince: later(900) });
        expect(await stores.grants.grant(id)).toBeDefined();
      });

      it('take their codes and tokens with them, whoever revokes them', async () => {
        const revocations = [
          (id: string) => stores.oauth.grants.revoke(id),
          (id: string) => stores.grants.revoke(id),
          () => stores.oauth.clients.remove('client'),
          () => stores.accounts.remove(userId),
        ];
        for (const [index, revoke] of revocations.entries()) {
          await stores.oauth.grants.save(grant(`g${index}`));
          await stores.oauth.records.save(refresh(`h${index}`, `g${index}`));
          expect(await revoke(`g${index}`)).toBe(true);
          expect(await stores.oauth.grants.find(`g${index}`)).toBeUndefined();
          expect(await stores.oauth.records.find('RefreshToken', `h${index}`)).toBeUndefined();
          expect(await revoke(`g${index}`)).toBe(false);
        }
      });
    });

    it('keeps registered clients, oldest first, and when they were used', async () => {
      const { clients } = stores.oauth;
      await clients.add({ id: 'b', metadata: { client_name: 'B' }, createdAt: later(1) });
      await clients.add({ id: 'a', metadata: {}, createdAt: NOW });
      expect((await clients.list()).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await clients.find('b')).toEqual({
        id: 'b',
        metadata: { client_name: 'B' },
        createdAt: later(1),
      });
      await clients.touch('b', later(2));
      await clients.touch('https://client.example.com/metadata', later(2));
      expect((await clients.find('b'))?.lastUsedAt).toEqual(later(2));
      expect(await clients.remove('b')).toBe(true);
      expect(await clients.remove('b')).toBe(false);
      expect(await clients.find('b')).toBeUndefined();
    });

    it('keeps approved redirect URIs as exact strings', async () => {
      const { approvedRedirectUris } = stores.oauth;
      await approvedRedirectUris.approve('https://b.example.com/callback');
      await approvedRedirectUris.approve('app://callback');
      await approvedRedirectUris.approve('app://callback');
      expect(await approvedRedirectUris.list()).toEqual(['app://callback', 'https://b.example.com/callback']);
      expect(await approvedRedirectUris.has('app://callback')).toBe(true);
      expect(await approvedRedirectUris.has('app://callback/')).toBe(false);
      expect(await approvedRedirectUris.withdraw('app://callback')).toBe(true);
      expect(await approvedRedirectUris.withdraw('app://callback')).toBe(false);
      expect(await approvedRedirectUris.has('app://callback')).toBe(false);
    });

    it('keeps sign-in sessions until they end, are removed, or their user is', async () => {
      const { signInSessions } = stores.oauth;
      const session = (idHash: string) => ({ idHash, userId, createdAt: NOW, expiresAt: later(1) });
      for (const idHash of ['s1', 's2']) await signInSessions.add(session(idHash));
      expect(await signInSessions.find('s1', NOW)).toEqual(session('s1'));
      expect(await signInSessions.find('s1', later(1))).toBeUndefined();
      await signInSessions.remove('s1');
      await signInSessions.remove('s1');
      expect(await signInSessions.find('s1', NOW)).toBeUndefined();
      await stores.accounts.remove(userId);
      expect(await signInSessions.find('s2', NOW)).toBeUndefined();
    });

    it('collects what has expired or was never used, and nothing else', async () => {
      const { records, grants, clients, signInSessions, collect } = stores.oauth;
      const add = (id: string, createdAt: Date) => clients.add({ id, metadata: {}, createdAt });
      await add('granted', NOW);
      await add('unused', NOW);
      await add('new', later(39));
      await add('idle', NOW);
      await clients.touch('idle', later(1));
      await add('resting', NOW);
      await clients.touch('resting', later(20));
      await grants.save(grant('live', 'granted'));
      await records.save(refresh('live', 'live', later(41)));
      await grants.save(grant('dead', 'unused'));
      await records.save(refresh('dead', 'dead', later(30)));
      await grants.save({ ...grant('fresh', 'new'), createdAt: later(40) });
      await signInSessions.add({ idHash: 'over', userId, createdAt: NOW, expiresAt: later(1) });
      await signInSessions.add({ idHash: 'open', userId, createdAt: NOW, expiresAt: later(41) });

      const moment = { now: later(40), unusedSince: later(33), idleSince: later(10) };
      expect(await collect(moment)).toEqual({ records: 1, grants: 1, clients: 2, sessions: 1 });
      expect((await clients.list()).map(({ id }) => id)).toEqual(['granted', 'resting', 'new']);
      expect(await records.find('RefreshToken', 'live')).toBeDefined();
      expect(await grants.find('fresh')).toBeDefined();
      expect(await signInSessions.find('open', NOW)).toBeDefined();
      expect(await collect(moment)).toEqual({ records: 0, grants: 0, clients: 0, sessions: 0 });
    });
  });
}
