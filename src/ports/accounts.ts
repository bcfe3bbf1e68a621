import type { Plan } from '../domain/vocabulary.ts';

export interface User {
  /** UUID. The `sub` of tokens. */
  id: string;
  /** As given, compared without regard to case. Absent for upstream identities that tell none. */
  email?: string;
  plan: Plan;
  createdAt: string;
}

export interface Accounts {
  user(id: string): Promise<User | undefined>;
  userByEmail(email: string): Promise<User | undefined>;
  /** By e-mail ascending. */
  users(): Promise<User[]>;
  /** Throws InvalidArgumentError when the e-mail is taken. */
  add(user: { email: string; plan: Plan; passwordHash: string }): Promise<User>;
  /** False when there is no such user. */
  setPlan(id: string, plan: Plan): Promise<boolean>;
  /** Ends all sign-ins of the user too: who changes a password may fear that someone else has it. False when there is no such user. */
  setPasswordHash(id: string, passwordHash: string): Promise<boolean>;
  /** Undefined when the user has no password or there is no such user. */
  passwordHash(id: string): Promise<string | undefined>;
  /** Removes the user with all grants, at once. False when there is no such user. */
  remove(id: string): Promise<boolean>;
}

/** What a user allowed a client to do at one resource. */
export interface Grant {
  /** The `grant_id` claim of tokens. */
  id: string;
  userId: string;
  clientId: string;
  /** Canonical resource identifier. */
  resource: string;
  /** Space-separated. */
  scope: string;
  createdAt: string;
  lastUsedAt?: string;
}

export interface Grants {
  grant(id: string): Promise<Grant | undefined>;
  grantsOf(userId: string): Promise<Grant[]>;
  add(grant: Omit<Grant, 'id' | 'createdAt'>): Promise<Grant>;
  /** False when there was none. */
  revoke(id: string): Promise<boolean>;
  /** Remembers that a token of the grant was used at this time. */
  touch(id: string, at: Date): Promise<void>;
}

export type SigningAlgorithm = 'RS256' | 'HS256';

/** A key that signs access tokens: RS256 for the MCP endpoint, HS256 for the REST API. */
export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  /** Private JWK (RSA) or symmetric JWK (oct). Never leaves the server. */
  jwk: Record<string, unknown>;
  createdAt: string;
  /** Signs from this moment on; until then it is only published, so that verifiers learn it in time. */
  activeFrom: string;
  /** Verifies no more from this moment on; absent while it may still sign. */
  retiredAt?: string;
}

export interface SigningKeys {
  /** Oldest first, retired ones left out. */
  keys(now: Date): Promise<SigningKey[]>;
  /** Adds the key unless its algorithm has one that is not to retire, also when two processes ask at once. */
  ensure(key: Pick<SigningKey, 'kid' | 'alg' | 'jwk' | 'activeFrom'>): Promise<void>;
  /** Adds the key; others of its algorithm, that have no end yet, verify until `retireOthersAt`. */
  rotate(key: Pick<SigningKey, 'kid' | 'alg' | 'jwk' | 'activeFrom'>, retireOthersAt: Date): Promise<void>;
}
