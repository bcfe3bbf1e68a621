import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** OWASP Password Storage Cheat Sheet: scrypt with N=2^17, r=8, p=1, which takes 128 MiB for a moment. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY_BYTES = 256 * 2 ** 20;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** 120 bits in letters that are easy to type. */
const GENERATED_BYTES = 15;

/** `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(normalise(password), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES });
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Compares in constant time. Without a hash it does the same work and answers false, so that an unknown account
 * takes as long as a wrong password.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = (hash ?? UNKNOWN_ACCOUNT).split('$');
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(normalise(password), Buffer.from(salt, 'base64url'), expected.length, {
    N: Number(n),
    r: Number(r),
    p: Number(p),
    maxmem: MAX_MEMORY_BYTES,
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

const UNKNOWN_ACCOUNT = ['scrypt', COST.N, COST.r, COST.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

/** A random password that a person can copy. */
export function generatePassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

/** NIST SP 800-63B §3.1.1.2: Unicode passwords are normalised, so that two keyboards type the same one. */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
