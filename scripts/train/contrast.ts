import type { Matrix } from './linear-algebra.ts';
import type { Pair } from './pairs.ts';
import { sample } from './random.ts';
import type { Random } from './random.ts';

const PAIRS_PER_BATCH = 128;
const TEMPERATURE = 0.1;
const LEARNING_RATE = 0.001;
/** Adam's decay rates and guard against division by zero (Kingma and Ba, 2015). */
const ADAM = { first: 0.9, second: 0.99, epsilon: 1e-8 };

/**
 * Moves word vectors so that the two texts of a pair, each the sum of its words, come nearer to each other than to the
 * other texts of their batch: the symmetric InfoNCE loss (van den Oord, Li and Vinyals, 2018), by Adam on the rows that
 * a batch touches. A word's length is learned too: it is the word's weight in a sum.
 * @param vectors changed in place
 * @returns mean loss of the second half of the batches
 */
export function contrast(vectors: Matrix, pairs: readonly Pair[], random: Random): number {
  const usable = pairs.filter(({ left, right }) => left.length > 0 && right.length > 0);
  const order = sample(usable, usable.length, random);
  const optimiser = createAdam(vectors);
  const losses: number[] = [];
  const batches = Math.floor(order.length / PAIRS_PER_BATCH);
  for (let batch = 0; batch < batches; batch += 1) {
    const chosen = order.slice(batch * PAIRS_PER_BATCH, (batch + 1) * PAIRS_PER_BATCH);
    losses.push(step(vectors, chosen, optimiser, LEARNING_RATE * (1 - batch / batches)));
  }
  const late = losses.slice(losses.length >> 1);
  return late.reduce((sum, loss) => sum + loss, 0) / late.length;
}

function step(vectors: Matrix, batch: readonly Pair[], optimiser: Adam, rate: number): number {
  const width = vectors.columns;
  const left = pool(
    vectors,
    batch.map((pair) => pair.left),
  );
  const right = pool(
    vectors,
    batch.map((pair) => pair.right),
  );
  const { pull, loss } = gradientOfScores(scores(left.unit, right.unit, batch.length, width), batch);
  const forLeft = combine(pull, right.unit, batch.length, width, false);
  const forRight = combine(pull, left.unit, batch.length, width, true);
  const gradient = new Map<number, Float32Array>();
  spread(
    gradient,
    forLeft,
    left,
    batch.map((pair) => pair.left),
    width,
  );
  spread(
    gradient,
    forRight,
    right,
    batch.map((pair) => pair.right),
    width,
  );
  optimiser.apply(gradient, rate);
  return loss;
}

interface Pooled {
  /** Unit-length sums, a row a text. */
  readonly unit: Float32Array;
  readonly lengths: Float32Array;
}

function pool(vectors: Matrix, texts: readonly (readonly number[])[]): Pooled {
  const width = vectors.columns;
  const unit = new Float32Array(texts.length * width);
  const lengths = new Float32Array(texts.length);
  texts.forEach((text, row) => {
    const start = row * width;
    for (const word of text) {
      for (let k = 0; k < width; k += 1) unit[start + k]! += vectors.data[word * width + k]!;
    }
    let squares = 0;
    for (let k = 0; k < width; k += 1) squares += unit[start + k]! ** 2;
    const length = Math.sqrt(squares) || 1;
    for (let k = 0; k < width; k += 1) unit[start + k]! /= length;
    lengths[row] = length;
  });
  return { unit, lengths };
}

/** Cosines of every left with every right text, by the temperature. */
function scores(left: Float32Array, right: Float32Array, size: number, width: number): Float32Array {
  const result = new Float32Array(size * size);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let k = 0; k < width; k += 1) {
        const value = left[i * width + k]!;
        a += value * right[j * width + k]!;
        b += value * right[(j + 1) * width + k]!;
        c += value * right[(j + 2) * width + k]!;
        d += value * right[(j + 3) * width + k]!;
      }
      const at = i * size + j;
      result[at] = a / TEMPERATURE;
      result[at + 1] = b / TEMPERATURE;
      result[at + 2] = c / TEMPERATURE;
      result[at + 3] = d / TEMPERATURE;
    }
  }
  return result;
}

/** The loss, and how it changes with every score: softmax over rows and over columns, less one on the diagonal. */
function gradientOfScores(score: Float32Array, batch: readonly Pair[]): { pull: Float32Array; loss: number } {
  const size = batch.length;
  const pull = new Float32Array(size * size);
  let loss = 0;
  for (const [along, across] of [
    [1, size],
    [size, 1],
  ] as const) {
    for (let i = 0; i < size; i += 1) {
      let largest = -Infinity;
      for (let j = 0; j < size; j += 1) largest = Math.max(largest, score[i * across + j * along]!);
      let sum = 0;
      for (let j = 0; j < size; j += 1) {
        if (compared(batch, i, j)) sum += Math.exp(score[i * across + j * along]! - largest);
      }
      for (let j = 0; j < size; j += 1) {
        const at = i * across + j * along;
        if (compared(batch, i, j)) pull[at]! += Math.exp(score[at]! - largest) / sum / (2 * size);
      }
      pull[i * size + i]! -= 1 / (2 * size);
      loss += (Math.log(sum) + largest - score[i * size + i]!) / (2 * size);
    }
  }
  return { pull, loss };
}

function compared(batch: readonly Pair[], i: number, j: number): boolean {
  return i === j || batch[i]!.group < 0 || batch[i]!.group !== batch[j]!.group;
}

/** pull · texts, or pullᵀ · texts: the gradient of each unit vector on the other side, by the temperature. */
function combine(
  pull: Float32Array,
  texts: Float32Array,
  size: number,
  width: number,
  transposed: boolean,
): Float32Array {
  const result = new Float32Array(size * width);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) {
      const value = pull[transposed ? j * size + i : i * size + j]! / TEMPERATURE;
      if (Math.abs(value) < 1e-7) continue;
      for (let k = 0; k < width; k += 1) result[i * width + k]! += value * texts[j * width + k]!;
    }
  }
  return result;
}

/** Passes each text's gradient on to its words, through the division by its length. */
function spread(
  gradient: Map<number, Float32Array>,
  ofUnit: Float32Array,
  { unit, lengths }: Pooled,
  texts: readonly (readonly number[])[],
  width: number,
): void {
  texts.forEach((text, row) => {
    const start = row * width;
    let along = 0;
    for (let k = 0; k < width; k += 1) along += ofUnit[start + k]! * unit[start + k]!;
    const ofSum = new Float32Array(width);
    for (let k = 0; k < width; k += 1)
      ofSum[k] = (ofUnit[start + k]! - along * unit[start + k]!) / lengths[row]!;
    for (const word of text) {
      let total = gradient.get(word);
      if (!total) gradient.set(word, (total = new Float32Array(width)));
      for (let k = 0; k < width; k += 1) total[k]! += ofSum[k]!;
    }
  });
}

interface Adam {
  apply(gradient: ReadonlyMap<number, Float32Array>, rate: number): void;
}

function createAdam(vectors: Matrix): Adam {
  const { columns: width, data } = vectors;
  const first = new Float32Array(data.length);
  const second = new Float32Array(data.length);
  let steps = 0;
  return {
    apply(gradient, rate) {
      steps += 1;
      const firstBias = 1 - ADAM.first ** steps;
      const secondBias = 1 - ADAM.second ** steps;
      for (const [row, slope] of gradient) {
        for (let k = 0; k < width; k += 1) {
          const at = row * width + k;
          first[at] = ADAM.first * first[at]! + (1 - ADAM.first) * slope[k]!;
          second[at] = ADAM.second * second[at]! + (1 - ADAM.second) * slope[k]! ** 2;
          const momentum = first[at] / firstBias;
          data[at]! -= (rate * momentum) / (Math.sqrt(second[at] / secondBias) + ADAM.epsilon);
        }
      }
    },
  };
}
