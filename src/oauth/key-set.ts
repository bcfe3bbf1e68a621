import { generateKeyPair, exportJWK, importJWK, type CryptoKey, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { randomBytes, randomUUID } from 'node:crypto';
import type { SigningAlgorithm, SigningKey, SigningKeys } from '../ports/accounts.ts';

/** How long a process may go on with the keys that it read: the time in which a new key reaches everyone. */
export const KEY_POLL_SECONDS = 60;
/** An unknown `kid` makes the keys be read at once, but not more often than this, or strangers could cause the load. */
const UNKNOWN_KEY_REREAD_SECONDS = 5;
/** Two uses of each algorithm's keys, with those of a rotation or two. */
const MAX_IMPORTED_KEYS = 32;
const RSA_BITS = 2048;
const HS256_KEY_BYTES = 32;

/** The installation's signing keys as this process knows them. */
export interface KeySet {
  /** Keys that may verify now, retired ones left out. */
  verificationKey(kid: string, alg: SigningAlgorithm): Promise<CryptoKey | Uint8Array | undefined>;
  /** The newest key of the algorithm that is active. */
  signingKey(alg: SigningAlgorithm): Promise<{ kid: string; key: CryptoKey | Uint8Array }>;
  /** The same key as a JWK, private members included. */
  signingJwk(alg: SigningAlgorithm): Promise<JWK & { kid: string }>;
  /** Public keys for `jwks.json` (RFC 7517): RSA only, no private member. */
  publicKeys(): Promise<JWK[]>;
}

/** A new key of its algorithm, not yet stored. */
export async function generateSigningKey(
  alg: SigningAlgorithm,
  activeFrom: Date,
): Promise<Pick<SigningKey, 'kid' | 'alg' | 'jwk' | 'activeFrom'>> {
  const kid = randomUUID();
  if (alg === 'HS256') {
    const jwk = { kty: 'oct', k: randomBytes(HS256_KEY_BYTES).toString('base64url') };
    return { kid, alg, jwk, activeFrom: activeFrom.toISOString() };
  }
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: RSA_BITS, extractable: true });
  const jwk = { ...(await exportJWK(privateKey)) };
  return { kid, alg, jwk, activeFrom: activeFrom.toISOString() };
}

/** Makes the first key of each algorithm where there is none; safe to call from several processes at once. */
export async function ensureSigningKeys(store: SigningKeys, now: Date): Promise<void> {
  const present = new Set(
    (await store.keys(now)).filter((key) => key.retiredAt === undefined).map((key) => key.alg),
  );
  for (const alg of ['RS256', 'HS256'] as const) {
    if (!present.has(alg)) await store.ensure(await generateSigningKey(alg, now));
  }
}

/** @param now the clock */
export function createKeySet(store: SigningKeys, now: () => Date = () => new Date()): KeySet {
  let keys: SigningKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Importing a key takes longer than using it. */
  const imported = new LRUCache<string, CryptoKey | Uint8Array>({ max: MAX_IMPORTED_KEYS });

  async function importKey(use: 'sign' | 'verify', { kid, alg, jwk }: SigningKey) {
    const id = `${use} ${kid}`;
    const known = imported.get(id);
    if (known !== undefined) return known;
    const key = await importJWK(use === 'verify' && alg === 'RS256' ? publicPart(jwk) : jwk, alg);
    imported.set(id, key);
    return key;
  }

  async function read(): Promise<void> {
    try {
      keys = await store.keys(now());
      readAt = now().getTime();
    } finally {
      reading = undefined;
    }
  }

  /** Reads the keys again when they are older than this; callers at the same time share one reading. */
  async function refresh(olderThanSeconds: number): Promise<void> {
    if (now().getTime() - readAt < olderThanSeconds * 1000) return;
    reading ??= read();
    await reading;
  }

  const usable = () => {
    const moment = now().toISOString();
    return keys.filter((key) => key.retiredAt === undefined || key.retiredAt > moment);
  };

  async function active(alg: SigningAlgorithm): Promise<SigningKey> {
    await refresh(KEY_POLL_SECONDS);
    const moment = now().toISOString();
    const newest = usable().findLast((key) => key.alg === alg && key.activeFrom <= moment);
    if (newest === undefined) throw new Error(`There is no active ${alg} signing key.`);
    return newest;
  }

  return {
    async verificationKey(kid, alg) {
      await refresh(KEY_POLL_SECONDS);
      const find = () => usable().find((key) => key.kid === kid && key.alg === alg);
      if (find() === undefined) await refresh(UNKNOWN_KEY_REREAD_SECONDS);
      const found = find();
      return found && importKey('verify', found);
    },

    async signingKey(alg) {
      const key = await active(alg);
      return { kid: key.kid, key: await importKey('sign', key) };
    },

    async signingJwk(alg) {
      const { kid, jwk } = await active(alg);
      return { ...jwk, kid };
    },

    async publicKeys() {
      await refresh(KEY_POLL_SECONDS);
      return usable()
        .filter((key) => key.alg === 'RS256')
        .map((key) => ({ ...publicPart(key.jwk), kid: key.kid, alg: key.alg, use: 'sig' }));
    },
  };
}

/** RFC 7518 §6.3.1: what is left are the members of an RSA public key. */
function publicPart(jwk: SigningKey['jwk']): JWK {
  const { kty, n, e } = jwk as JWK;
  return {
    ...(kty === undefined ? {} : { kty }),
    ...(n === undefined ? {} : { n }),
    ...(e === undefined ? {} : { e }),
  };
}
