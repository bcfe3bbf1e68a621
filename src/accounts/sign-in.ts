import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Accounts, User } from '../ports/accounts.ts';
import { networkOf } from './network.ts';
import { verifyPassword } from './password.ts';

const WINDOW_SECONDS = 15 * 60;
const MAX_FAILURES_PER_ACCOUNT = 10;
/** Many people can share an address; what one of them guesses at each account is limited too. */
const MAX_FAILURES_PER_ADDRESS = 50;
/** Each takes 128 MiB and one of the four threads that reading files needs as well. */
const MAX_PASSWORD_CHECKS_AT_A_TIME = 2;

export type SignInResult =
  | { user: User }
  /** Nobody is told which of the two was wrong. */
  | { refused: 'wrong' }
  | { refused: 'limited'; retryAfterSeconds: number };

export interface Credentials {
  email: string;
  password: string;
  /** IP address that the attempt comes from. */
  address: string;
}

export type PasswordSignIn = (credentials: Credentials) => Promise<SignInResult>;

/**
 * Checks passwords of local accounts. An unknown account, and one without a password, answer exactly as a wrong
 * password, in time as well. Attempts are counted in this process.
 */
export function createPasswordSignIn({
  accounts,
  audit,
}: {
  accounts: Pick<Accounts, 'userByEmail' | 'passwordHash'>;
  audit: Logger;
}): PasswordSignIn {
  const byAddress = new RateLimiterMemory({ points: MAX_FAILURES_PER_ADDRESS, duration: WINDOW_SECONDS });
  const byAccount = new RateLimiterMemory({ points: MAX_FAILURES_PER_ACCOUNT, duration: WINDOW_SECONDS });
  const inTurn = createTurns(MAX_PASSWORD_CHECKS_AT_A_TIME);

  return async ({ email, password, address }) => {
    const network = networkOf(address);
    const account = email.trim().toLowerCase();
    // Counted before the check, or many guesses at once would all get in before the first is counted.
    const waitSeconds = (await exceeded(byAddress, network)) ?? (await exceeded(byAccount, account));
    if (waitSeconds !== undefined) {
      audit.warn({ event: 'sign_in.limited', address }, 'too many sign-in attempts');
      return { refused: 'limited', retryAfterSeconds: waitSeconds };
    }
    const user = await accounts.userByEmail(email);
    const hash = user && (await accounts.passwordHash(user.id));
    const right = await inTurn(() => verifyPassword(password, hash));
    if (user === undefined || !right) {
      // What was typed as an e-mail is left out: people type passwords there by mistake.
      audit.warn({ event: 'sign_in.failed', userId: user?.id, address }, 'sign-in failed');
      return { refused: 'wrong' };
    }
    await byAccount.delete(account);
    await byAddress.reward(network);
    audit.info({ event: 'sign_in.succeeded', userId: user.id, address }, 'signed in');
    return { user };
  };
}

/** Seconds until there are attempts again; undefined while there are some left, of which this uses one. */
async function exceeded(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw refusal;
  }
}

function createTurns(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
