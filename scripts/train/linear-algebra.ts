/** Rows of a sparse square matrix, one after another: row i holds entries rowStart[i] to rowStart[i + 1]. */
export interface SparseMatrix {
  readonly size: number;
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** A dense matrix, row after row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

export interface Eigen {
  /** Largest magnitude first. */
  readonly values: Float64Array;
  /** One eigenvector a column, in the order of `values`. */
  readonly vectors: Matrix;
}

/** Extra directions that the random start carries along, so that the last wanted ones come out well. */
const OVERSAMPLING = 16;

/**
 * The leading eigenpairs of a symmetric sparse matrix, by random projection and subspace iteration (Halko, Martinsson
 * and Tropp, "Finding structure with randomness", 2011, algorithm 4.4). The same seed gives the same bytes.
 */
export function leadingEigenpairs(
  matrix: SparseMatrix,
  count: number,
  iterations: number,
  seed: number,
): Eigen {
  const width = Math.min(count + OVERSAMPLING, matrix.size);
  let basis = randomMatrix(matrix.size, width, seed);
  for (let pass = 0; pass < iterations; pass += 1) {
    basis = multiplySparse(matrix, basis);
    orthonormalise(basis);
  }
  const image = multiplySparse(matrix, basis);
  const small = jacobiEigen(multiplyTransposed(basis, image));
  const order = [...small.values.keys()]
    .toSorted((a, b) => Math.abs(small.values[b]!) - Math.abs(small.values[a]!) || a - b)
    .slice(0, count);
  const vectors: Matrix = {
    rows: matrix.size,
    columns: order.length,
    data: new Float32Array(matrix.size * order.length),
  };
  for (let row = 0; row < matrix.size; row += 1) {
    order.forEach((from, to) => {
      let sum = 0;
      for (let k = 0; k < width; k += 1)
        sum += basis.data[row * width + k]! * small.vectors[k * width + from]!;
      vectors.data[row * order.length + to] = sum;
    });
  }
  return { values: Float64Array.from(order, (index) => small.values[index]!), vectors };
}

function multiplySparse(matrix: SparseMatrix, dense: Matrix): Matrix {
  const { columns: width } = dense;
  const product = new Float32Array(matrix.size * width);
  for (let row = 0; row < matrix.size; row += 1) {
    const target = row * width;
    for (let entry = matrix.rowStart[row]!; entry < matrix.rowStart[row + 1]!; entry += 1) {
      const value = matrix.values[entry]!;
      const source = matrix.columns[entry]! * width;
      for (let k = 0; k < width; k += 1) product[target + k]! += value * dense.data[source + k]!;
    }
  }
  return { rows: matrix.size, columns: width, data: product };
}

/** Modified Gram-Schmidt over the columns, done twice: once is not enough in single precision. */
function orthonormalise(matrix: Matrix): void {
  const { rows, columns, data } = matrix;
  const basis: Float32Array[] = [];
  for (let column = 0; column < columns; column += 1) {
    const vector = Float32Array.from({ length: rows }, (_, row) => data[row * columns + column]!);
    for (let pass = 0; pass < 2; pass += 1) {
      for (const earlier of basis) {
        const overlap = dot(vector, earlier);
        for (let row = 0; row < rows; row += 1) vector[row]! -= overlap * earlier[row]!;
      }
    }
    const norm = Math.sqrt(dot(vector, vector)) || 1;
    for (let row = 0; row < rows; row += 1) vector[row]! /= norm;
    basis.push(vector);
    for (let row = 0; row < rows; row += 1) data[row * columns + column] = vector[row]!;
  }
}

function multiplyTransposed(left: Matrix, right: Matrix): Float64Array {
  const width = left.columns;
  const product = new Float64Array(width * width);
  for (let row = 0; row < left.rows; row += 1) {
    for (let i = 0; i < width; i += 1) {
      const value = left.data[row * width + i]!;
      for (let j = 0; j < width; j += 1) product[i * width + j]! += value * right.data[row * width + j]!;
    }
  }
  return product;
}

const JACOBI_SWEEPS = 30;

/** Eigenvalues and column eigenvectors of a small symmetric matrix, by cyclic Jacobi rotations. */
function jacobiEigen(symmetric: Float64Array): { values: Float64Array; vectors: Float64Array } {
  const size = Math.round(Math.sqrt(symmetric.length));
  const a = Float64Array.from(symmetric, (value, at) => {
    const mirrored = symmetric[(at % size) * size + Math.floor(at / size)]!;
    return (value + mirrored) / 2;
  });
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep += 1) {
    let rotated = false;
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        const off = a[p * size + q]!;
        if (Math.abs(off) < 1e-10 * Math.sqrt(Math.abs(a[p * size + p]! * a[q * size + q]!)) || off === 0)
          continue;
        rotated = true;
        rotate(a, vectors, size, p, q);
      }
    }
    if (!rotated) break;
  }
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]!), vectors };
}

function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * a[p * size + q]!);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(t * t + 1);
  const sin = t * cos;
  for (let k = 0; k < size; k += 1) {
    const kp = a[k * size + p]!;
    const kq = a[k * size + q]!;
    a[k * size + p] = cos * kp - sin * kq;
    a[k * size + q] = sin * kp + cos * kq;
  }
  for (let k = 0; k < size; k += 1) {
    const pk = a[p * size + k]!;
    const qk = a[q * size + k]!;
    a[p * size + k] = cos * pk - sin * qk;
    a[q * size + k] = sin * pk + cos * qk;
  }
  for (let k = 0; k < size; k += 1) {
    const kp = vectors[k * size + p]!;
    const kq = vectors[k * size + q]!;
    vectors[k * size + p] = cos * kp - sin * kq;
    vectors[k * size + q] = sin * kp + cos * kq;
  }
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i += 1) sum += left[i]! * right[i]!;
  return sum;
}

function randomMatrix(rows: number, columns: number, seed: number): Matrix {
  const random = createRandom(seed);
  return { rows, columns, data: Float32Array.from({ length: rows * columns }, () => random() * 2 - 1) };
}

/** Numbers in [0, 1) by mulberry32: the same on every machine for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
