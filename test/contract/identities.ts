import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Accounts } from '../../src/ports/accounts.ts';
import type { Identities } from '../../src/ports/identities.ts';

export interface OpenIdentities {
  accounts: Accounts;
  identities: Identities;
  close(): Promise<void>;
}

const IDENTITY = { issuer: 'https://id.example.com', subject: 'mira' };

/** What src/ports/identities.ts promises, run on every engine. */
export function identitiesContract(name: string, open: () => Promise<OpenIdentities>): void {
  describe(`identities: ${name}`, () => {
    let stores: OpenIdentities;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());

    it('makes a user of a newcomer, and finds the same one again', async () => {
      const newcomer = { email: 'mira@example.com', plan: 'team' } as const;
      const user = await stores.identities.ensureUser(IDENTITY, newcomer);
      expect(user).toMatchObject(newcomer);
      expect(await stores.accounts.user(user.id)).toEqual(user);
      expect(await stores.accounts.passwordHash(user.id)).toBeUndefined();
      expect(
        await stores.identities.ensureUser(IDENTITY, { email: 'new@example.com', plan: 'free' }),
      ).toEqual(user);
    });

    it('tells the same subject of two issuers apart, and two subjects of one', async () => {
      const ids = await Promise.all(
        [
          IDENTITY,
          { ...IDENTITY, issuer: 'https://other.example.com' },
          { ...IDENTITY, subject: 'oscar' },
        ].map(async (identity) => (await stores.identities.ensureUser(identity, { plan: 'free' })).id),
      );
      expect(new Set(ids).size).toBe(3);
    });

    it('makes one user of a newcomer who comes several times at once', async () => {
      const users = await Promise.all(
        Array.from({ length: 5 }, () =>
          stores.identities.ensureUser(IDENTITY, { email: 'mira@example.com', plan: 'free' }),
        ),
      );
      expect(new Set(users.map(({ id }) => id)).size).toBe(1);
      expect(await stores.accounts.users()).toHaveLength(1);
    });

    it('never joins an account by e-mail: the newcomer goes without', async () => {
      const local = await stores.accounts.add({ email: 'mira@example.com', plan: 'pro', passwordHash: 'h' });
      const user = await stores.identities.ensureUser(IDENTITY, { email: 'MIRA@example.com', plan: 'free' });
      expect(user.id).not.toBe(local.id);
      expect(user.email).toBeUndefined();
      expect(await stores.accounts.userByEmail('mira@example.com')).toEqual(local);
    });

    it('forgets an identity with its user', async () => {
      const { id } = await stores.identities.ensureUser(IDENTITY, { plan: 'free' });
      await stores.accounts.remove(id);
      expect((await stores.identities.ensureUser(IDENTITY, { plan: 'free' })).id).not.toBe(id);
    });
  });
}
