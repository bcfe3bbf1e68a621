import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Accounts, Grants, SigningKeys } from '../../src/ports/accounts.ts';
import type { Secrets } from '../../src/ports/secrets.ts';

export interface OpenAccounts {
  accounts: Accounts;
  grants: Grants;
  signingKeys: SigningKeys;
  secrets: Secrets;
  close(): Promise<void>;
}

const NOW = new Date('2026-05-01T00:00:00.000Z');

/** What src/ports/accounts.ts and src/ports/secrets.ts promise, run on every engine. */
export function accountsContract(name: string, open: () => Promise<OpenAccounts>): void {
  describe(`accounts: ${name}`, () => {
    let stores: OpenAccounts;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());

    const add = (email: string) => stores.accounts.add({ email, plan: 'pro', passwordHash: 'hash' });

    it('adds users and finds them by id and by e-mail in any case', async () => {
      const user = await add('Mira@example.com');
      expect(user).toMatchObject({ email: 'Mira@example.com', plan: 'pro' });
      expect(await stores.accounts.user(user.id)).toEqual(user);
      expect(await stores.accounts.userByEmail('mira@EXAMPLE.com')).toEqual(user);
      expect(await stores.accounts.userByEmail('nobody@example.com')).toBeUndefined();
      expect(await stores.accounts.users()).toEqual([user]);
      expect(await stores.accounts.passwordHash(user.id)).toBe('hash');
    });

    it('refuses an e-mail that is taken, also when two ask at once', async () => {
      const results = await Promise.allSettled([add('a@example.com'), add('A@example.com')]);
      expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await expect(add('a@example.com')).rejects.toThrow(/already an account for a@example.com/);
    });

    it('changes plan and password, and says when there is no such user', async () => {
      const { id } = await add('a@example.com');
      expect(await stores.accounts.setPlan(id, 'team')).toBe(true);
      expect(await stores.accounts.setPasswordHash(id, 'other')).toBe(true);
      expect((await stores.accounts.user(id))?.plan).toBe('team');
      expect(await stores.accounts.passwordHash(id)).toBe('other');
      expect(await stores.accounts.setPlan('ghost', 'team')).toBe(false);
      expect(await stores.accounts.setPasswordHash('ghost', 'x')).toBe(false);
      expect(await stores.accounts.passwordHash('ghost')).toBeUndefined();
    });

    it('removes a user with all grants', async () => {
      const { id } = await add('a@example.com');
      const grant = await stores.grants.add({ userId: id, clientId: 'cli', resource: 'r', scope: 'api' });
      expect(await stores.accounts.remove(id)).toBe(true);
      expect(await stores.grants.grant(grant.id)).toBeUndefined();
      expect(await stores.accounts.remove(id)).toBe(false);
    });

    it('keeps grants, their last use, and forgets revoked ones', async () => {
      const { id: userId } = await add('a@example.com');
      const grant = await stores.grants.add({ userId, clientId: 'cli', resource: 'r', scope: 'api' });
      expect(await stores.grants.grant(grant.id)).toEqual(grant);
      expect(grant.lastUsedAt).toBeUndefined();
      await stores.grants.touch(grant.id, NOW);
      expect(await stores.grants.grantsOf(userId)).toEqual([{ ...grant, lastUsedAt: NOW.toISOString() }]);
      expect(await stores.grants.revoke(grant.id)).toBe(true);
      expect(await stores.grants.revoke(grant.id)).toBe(false);
      expect(await stores.grants.grant(grant.id)).toBeUndefined();
    });

    it('makes one first key of an algorithm, however many ask, and rotates with an overlap', async () => {
      const key = (kid: string) => ({
        kid,
        alg: 'RS256' as const,
        jwk: { kty: 'RSA' },
        activeFrom: NOW.toISOString(),
      });
      await Promise.all(['k1', 'k2', 'k3'].map((kid) => stores.signingKeys.ensure(key(kid))));
      const [first, ...others] = await stores.signingKeys.keys(NOW);
      expect(others).toEqual([]);
      expect(first?.jwk).toEqual({ kty: 'RSA' });
      await stores.signingKeys.ensure({ ...key('hs'), alg: 'HS256' });
      expect(await stores.signingKeys.keys(NOW)).toHaveLength(2);

      const end = new Date(NOW.getTime() + 60_000);
      await stores.signingKeys.rotate({ ...key('k9'), activeFrom: end.toISOString() }, end);
      const during = await stores.signingKeys.keys(NOW);
      expect(during.find(({ kid }) => kid === first?.kid)?.retiredAt).toBe(end.toISOString());
      expect(during.find(({ kid }) => kid === 'hs')?.retiredAt).toBeUndefined();
      expect((await stores.signingKeys.keys(end)).map(({ kid }) => kid).toSorted()).toEqual(['hs', 'k9']);
    });

    it('makes a secret once and gives every caller the same', async () => {
      const [a, b] = await Promise.all([stores.secrets.secret('x'), stores.secrets.secret('x')]);
      expect(a).toHaveLength(32);
      expect(a).toEqual(b);
      expect(await stores.secrets.secret('y')).not.toEqual(a);
    });
  });
}
