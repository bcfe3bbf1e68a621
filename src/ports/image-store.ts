export interface StoredImage {
  body: Uint8Array;
  contentType: string;
}

/** What a key may end in, and the content type that it stands for. */
export const CONTENT_TYPES = { webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' } as const;

/** Objects whose keys begin so are reached by a signed URL only. */
export const PRIVATE_PREFIX = 'originals/';

const MAX_KEY_CHARS = 200;
const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*\.(webp|png|jpg)$/;

/** Whether `key` is one: see ImageStore. */
export function isImageKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARS && KEY.test(key) && !key.includes('..');
}

/**
 * Image files by key. A key is a relative path of `[a-z0-9/._-]`, whose parts begin with a letter or digit, without
 * `..`, at most 200 characters long; its ending (`.webp`, `.png`, `.jpg`) is its content type. Keys contain a content
 * hash, so an object never changes under its key.
 *
 * Keys under `originals/` are private: they are only reached by a signed URL. All others are public.
 *
 * Every method that takes a key throws InvalidArgumentError for one that is none, or that another content type is
 * given with than its ending says.
 */
export interface ImageStore {
  /** Writes atomically: a reader sees all of the object or none. Writing the same key again is a no-op. */
  put(key: string, body: Uint8Array, contentType: string): Promise<void>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<StoredImage | undefined>;
  has(key: string): Promise<boolean>;
  /** Unknown keys are a no-op. */
  remove(key: string): Promise<void>;
  /** Every key, in no particular order. */
  list(): AsyncIterable<string>;
  /** Address of a public object. */
  publicUrl(key: string): string;
  /**
   * Address that serves the object to anyone who holds it, until `expiresAt` in whole seconds, as a download named
   * `filename`; changing any part of the address makes it worthless.
   */
  signedUrl(
    key: string,
    options: { expiresAt: Date; filename: string; contentType: string },
  ): Promise<string>;
}
