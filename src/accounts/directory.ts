import { LRUCache } from 'lru-cache';
import type { Accounts, User } from '../ports/accounts.ts';

export type { User };

/** A change of plan, or a removal, works after this at the latest, with no new sign-in. */
const USER_CACHE_SECONDS = 15;
const MAX_CACHED_USERS = 10_000;

/** Users as requests need them: looked up for each request, remembered for seconds. */
export interface UserDirectory {
  /** Undefined when there is no such user (any more). */
  user(id: string): Promise<User | undefined>;
}

/** @param now the clock */
export function createUserDirectory(accounts: Pick<Accounts, 'user'>, now: () => Date): UserDirectory {
  const users = new LRUCache<string, { user: User | undefined }>({
    max: MAX_CACHED_USERS,
    ttl: USER_CACHE_SECONDS * 1000,
    perf: { now: () => now().getTime() },
  });
  return {
    async user(id) {
      const cached = users.get(id);
      if (cached !== undefined) return cached.user;
      const user = await accounts.user(id);
      users.set(id, { user });
      return user;
    },
  };
}
