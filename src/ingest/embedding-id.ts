import { createHash } from 'node:crypto';

/** Namespace of the ids below; random, and never to be changed, or every vector would lose its screen. */
const NAMESPACE = Buffer.from('5d9c6f0a7a3b4c3f9e1d2b8f64c7a150', 'hex');

/** The UUID of a screen's vectors: version 5 (RFC 9562 §5.5) of the screen's id, the same every time. */
export function embeddingIdOf(screenId: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(screenId).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
