import { InvalidArgumentError } from '../domain/errors.ts';
import { CONTENT_TYPES, isImageKey } from './image-store.ts';

/** Throws InvalidArgumentError where `key` could name anything but an image of the store. */
export function assertImageKey(key: string): void {
  if (isImageKey(key)) return;
  const detail = `"${key.slice(0, 200)}" is not the key of an image: a relative path such as "images/0a/0a1b.webp" is.`;
  throw new InvalidArgumentError([{ parameter: 'key', detail }]);
}

/** The content type that the key's ending stands for. Throws InvalidArgumentError as assertImageKey does. */
export function contentTypeOfKey(key: string): string {
  assertImageKey(key);
  return CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1) as keyof typeof CONTENT_TYPES];
}

/** Throws InvalidArgumentError where the key's ending says another content type. */
export function assertContentType(key: string, contentType: string): void {
  const expected = contentTypeOfKey(key);
  if (contentType === expected) return;
  const detail = `The key ${key} stands for ${expected}, not for ${contentType}.`;
  throw new InvalidArgumentError([{ parameter: 'contentType', detail }]);
}
