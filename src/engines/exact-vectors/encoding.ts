/** Unit length; all zeros stay zeros, which are near to nothing. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector.slice() : vector.map((value) => value / length);
}

/** A vector as signed bytes of its own scale, which cosine does not see. Whole numbers up to 127 lose nothing. */
export function toBytes(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return new Int8Array(vector.length);
  const whole = largest <= 127 && vector.every((value) => Number.isInteger(value));
  const scale = whole ? 1 : 127 / largest;
  return Int8Array.from(vector, (value) => Math.round(value * scale));
}

/** For SQLite, which stores bytes. */
export function blobOf(values: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Copies, since SQLite's bytes need not lie where four-byte numbers may. */
export function floatsOf(blob: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(blob).buffer);
}

export function bytesOf(blob: Uint8Array): Int8Array {
  return new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength);
}
