import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Accounts, User } from '../ports/accounts.ts';
import type { SignInSessions } from '../ports/oauth-store.ts';

const SESSION_SECONDS = 14 * 24 * 60 * 60;
const SECRET_BYTES = 32;

/** Who is signed in with a browser. */
export interface SignedIn {
  user: User;
  since: Date;
}

/** Browsers that are signed in. A browser is known by the secret in its cookie, of which only a hash is stored. */
export interface BrowserSessions {
  /** A new secret for the user. */
  start(userId: string): Promise<{ secret: string; expiresAt: Date }>;
  /** Undefined when the session has ended, or the user was removed. */
  signedIn(secret: string): Promise<SignedIn | undefined>;
  /** A no-op when there is none. */
  end(secret: string): Promise<void>;
}

/** A secret for a cookie: 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What the forms of a browser carry to show that they are ours. It tells nothing about the secret. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/** @param now the clock */
export function createBrowserSessions({
  accounts,
  sessions,
  now,
}: {
  accounts: Pick<Accounts, 'user'>;
  sessions: SignInSessions;
  now: () => Date;
}): BrowserSessions {
  return {
    async start(userId) {
      const secret = newSecret();
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + SESSION_SECONDS * 1000);
      await sessions.add({ idHash: hash(secret), userId, createdAt, expiresAt });
      return { secret, expiresAt };
    },

    async signedIn(secret) {
      const session = await sessions.find(hash(secret), now());
      const user = session && (await accounts.user(session.userId));
      return user && { user, since: session.createdAt };
    },

    end: (secret) => sessions.remove(hash(secret)),
  };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
