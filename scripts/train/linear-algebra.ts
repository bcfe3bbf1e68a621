import { createRandom } from './random.ts';

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

/** Extra directions that the random start carries along, so that the last wanted ones come out well. */
const OVERSAMPLING = 16;

/**
 * The eigenvectors of a symmetric sparse matrix whose eigenvalues are largest in magnitude, one a column, by random
 * projection and subspace iteration (Halko, Martinsson and Tropp, "Finding structure with randomness", 2011,
 * algorithm 4.4). The same seed gives the same bytes.
 */
export function leadingEigenvectors(
  matrix: SparseMatrix,
  count: number,
  iterations: number,
  seed: number,
): Matrix {
  const width = Math.min(count + OVERSAMPLING, matrix.size);
  const random = createRandom(seed);
  let basis: Matrix = {
    rows: matrix.size,
    columns: width,
    data: Float32Array.from({ length: matrix.size * width }, () => random() * 2 - 1),
  };
  for (let pass = 0; pass < iterations; pass += 1) {
    basis = multiplySparse(matrix, basis);
    orthonormalise(basis);
  }
  const small = multiplyTransposed(basis, multiplySparse(matrix, basis));
  const { values, vectors } = jacobiEigen(small, width);
  const order = [...values.keys()]
    .toSorted((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b)
    .slice(0, count);
  const turn = new Float64Array(width * order.length);
  for (let k = 0; k < width; k += 1) {
    order.forEach((from, to) => (turn[k * order.length + to] = vectors[k * width + from]!));
  }
  return multiplyDense(basis, turn, order.length);
}

/** Columns are worked on in bands of this many: a band of the dense matrix stays in the processor's cache. */
const BAND = 8;

function multiplySparse(matrix: SparseMatrix, dense: Matrix): Matrix {
  const { size, rowStart, columns, values } = matrix;
  const width = dense.columns;
  const product = new Float32Array(size * width);
  const band = new Float32Array(size * BAND);
  for (let start = 0; start < width; start += BAND) {
    const used = Math.min(BAND, width - start);
    for (let row = 0; row < size; row += 1) {
      for (let k = 0; k < used; k += 1) band[row * BAND + k] = dense.data[row * width + start + k]!;
    }
    for (let row = 0; row < size; row += 1) {
      let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let entry = rowStart[row]!; entry < rowStart[row + 1]!; entry += 1) {
        const value = values[entry]!;
        const at = columns[entry]! * BAND;
        a += value * band[at]!;
        b += value * band[at + 1]!;
        c += value * band[at + 2]!;
        d += value * band[at + 3]!;
        e += value * band[at + 4]!;
        f += value * band[at + 5]!;
        g += value * band[at + 6]!;
        h += value * band[at + 7]!;
      }
      const sums = [a, b, c, d, e, f, g, h];
      for (let k = 0; k < used; k += 1) product[row * width + start + k] = sums[k]!;
    }
  }
  return { rows: size, columns: width, data: product };
}

/** Makes the columns orthonormal in place, by the Cholesky factor of their inner products; twice, for precision. */
function orthonormalise(matrix: Matrix): void {
  for (let pass = 0; pass < 2; pass += 1) {
    const { rows, columns, data } = matrix;
    const lower = cholesky(multiplyTransposed(matrix, matrix), columns);
    for (let row = 0; row < rows; row += 1) {
      // Solves x · lowerᵀ = row by forward substitution.
      const start = row * columns;
      for (let i = 0; i < columns; i += 1) {
        let value = data[start + i]!;
        for (let k = 0; k < i; k += 1) value -= lower[i * columns + k]! * data[start + k]!;
        data[start + i] = value / lower[i * columns + i]!;
      }
    }
  }
}

/** The lower triangle L with L · Lᵀ equal to a positive definite matrix. */
function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k += 1) sum -= lower[i * size + k]! * lower[j * size + k]!;
      // A column that depends on the ones before it leaves nothing; a tiny length keeps it harmless.
      lower[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j * size + j]!;
    }
  }
  return lower;
}

/** leftᵀ · right, for two matrices of the same shape. */
function multiplyTransposed(left: Matrix, right: Matrix): Float64Array {
  const width = left.columns;
  const product = new Float64Array(width * width);
  for (let row = 0; row < left.rows; row += 1) {
    const start = row * width;
    for (let i = 0; i < width; i += 1) {
      const value = left.data[start + i]!;
      const target = i * width;
      for (let j = 0; j < width; j += 1) product[target + j]! += value * right.data[start + j]!;
    }
  }
  return product;
}

function multiplyDense(left: Matrix, right: Float64Array, columns: number): Matrix {
  const data = new Float32Array(left.rows * columns);
  const sums = new Float64Array(columns);
  for (let row = 0; row < left.rows; row += 1) {
    sums.fill(0);
    for (let k = 0; k < left.columns; k += 1) {
      const value = left.data[row * left.columns + k]!;
      for (let j = 0; j < columns; j += 1) sums[j]! += value * right[k * columns + j]!;
    }
    data.set(sums, row * columns);
  }
  return { rows: left.rows, columns, data };
}

const JACOBI_SWEEPS = 12;

/** Eigenvalues and column eigenvectors of a small symmetric matrix, by cyclic Jacobi rotations. */
function jacobiEigen(symmetric: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const a = Float64Array.from(symmetric, (value, at) => {
    const mirrored = symmetric[(at % size) * size + Math.floor(at / size)]!;
    return (value + mirrored) / 2;
  });
  // Kept transposed, one eigenvector a row, so that a rotation touches neighbours in memory.
  const rows = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) rows[i * size + i] = 1;
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep += 1) {
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) rotate(a, rows, size, p, q);
    }
  }
  const vectors = Float64Array.from(
    { length: size * size },
    (_, at) => rows[(at % size) * size + Math.floor(at / size)]!,
  );
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]!), vectors };
}

/** One rotation that makes a[p][q] zero (Golub and Van Loan, Matrix Computations, section 8.5). */
function rotate(a: Float64Array, rows: Float64Array, size: number, p: number, q: number): void {
  const off = a[p * size + q]!;
  if (Math.abs(off) < 1e-12) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(t * t + 1);
  const sin = t * cos;
  for (let k = 0; k < size; k += 1) {
    const kp = a[k * size + p]!;
    const kq = a[k * size + q]!;
    a[k * size + p] = cos * kp - sin * kq;
    a[k * size + q] = sin * kp + cos * kq;
  }
  for (const m of [a, rows]) {
    for (let k = 0; k < size; k += 1) {
      const pk = m[p * size + k]!;
      const qk = m[q * size + k]!;
      m[p * size + k] = cos * pk - sin * qk;
      m[q * size + k] = sin * pk + cos * qk;
    }
  }
}
