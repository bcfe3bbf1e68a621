/*
 * The inner product, once for each kind of numbers: a function that meets both kinds is compiled for neither, and takes
 * twice the time. Four sums at a time keep the processor's multipliers busy; one alone would wait for itself.
 */

/** Of a row of `block` from `offset` on and `other`. */
export function floatProduct(block: Float32Array, offset: number, other: Float32Array): number {
  const size = other.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let index = 0;
  for (; index + 3 < size; index += 4) {
    a += block[offset + index]! * other[index]!;
    b += block[offset + index + 1]! * other[index + 1]!;
    c += block[offset + index + 2]! * other[index + 2]!;
    d += block[offset + index + 3]! * other[index + 3]!;
  }
  for (; index < size; index += 1) a += block[offset + index]! * other[index]!;
  return a + b + c + d;
}

/** The same where the rows are signed bytes. */
export function byteProduct(block: Int8Array, offset: number, other: Float32Array): number {
  const size = other.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let index = 0;
  for (; index + 3 < size; index += 4) {
    a += block[offset + index]! * other[index]!;
    b += block[offset + index + 1]! * other[index + 1]!;
    c += block[offset + index + 2]! * other[index + 2]!;
    d += block[offset + index + 3]! * other[index + 3]!;
  }
  for (; index < size; index += 1) a += block[offset + index]! * other[index]!;
  return a + b + c + d;
}
