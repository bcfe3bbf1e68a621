import { contrast } from './contrast.ts';
import { glossaryContexts, walkContexts, wordnetContexts } from './contexts.ts';
import { contextShares, positiveMutualInformation } from './cooccurrence.ts';
import type { Entry } from './glossary.ts';
import { createLexicon } from './lexicon.ts';
import { leadingEigenvectors } from './linear-algebra.ts';
import type { Matrix } from './linear-algebra.ts';
import { encodeEmbeddingModel } from './onnx.ts';
import { glossaryPairs, wordnetPairs } from './pairs.ts';
import { quantise } from './quantise.ts';
import { createRandom } from './random.ts';
import { tokenizerFiles } from './tokenizer.ts';
import { collectTokens } from './tokens.ts';
import type { Sense } from './wordnet.ts';

const DIMS = 256;
/** Rows of the table: what fits in 12 MB with the tokenizer. */
const MAX_ROWS = 64_000;
const SUBSPACE_ITERATIONS = 4;
const SEED = 20_251;

export interface TrainingText {
  readonly entries: readonly Entry[];
  readonly senses: readonly Sense[];
  /** Told of every step as it begins. */
  readonly onStep?: (step: string) => void;
}

/** Trains the built-in model; returns its files by path. The same text gives the same bytes. */
export function trainModel({
  entries,
  senses: allSenses,
  onStep = () => {},
}: TrainingText): Record<string, Uint8Array> {
  onStep('words');
  const senses = allSenses.filter((sense) => !isPerson(sense));
  const lexicon = createLexicon(entries, senses, MAX_ROWS);

  onStep(`contexts of ${lexicon.lemmas.length} lemmas`);
  const contexts = [...glossaryContexts(entries, lexicon), ...wordnetContexts(senses, lexicon)];
  const shares = contextShares(contexts, lexicon.lemmas.length);
  const walks = walkContexts(senses, lexicon);
  onStep(`mutual information over ${contexts.length} contexts and ${walks.length} walks`);
  const information = positiveMutualInformation([...contexts, ...walks], lexicon.lemmas.length);
  onStep(`eigenvectors of ${information.values.length} associations`);
  const vectors = leadingEigenvectors(information, DIMS, SUBSPACE_ITERATIONS, SEED);
  weighByRarity(vectors, shares);

  const random = createRandom(SEED);
  const pairs = [...glossaryPairs(entries, lexicon, random), ...wordnetPairs(senses, lexicon, random)];
  onStep(`contrast of ${pairs.length} pairs`);
  const loss = contrast(vectors, pairs, random);
  onStep(`files (loss ${loss.toFixed(3)})`);

  const { vocabulary, rowOfToken } = collectTokens(lexicon);
  const files = tokenizerFiles(vocabulary, vectors.columns);
  return {
    'onnx/model.onnx': encodeEmbeddingModel({ rowOfToken, ...quantise(vectors) }),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  };
}

/** WordNet's noun.person file; its instances are people of history, whose names are no words. */
const PERSON_DOMAIN = 18;

function isPerson(sense: Sense): boolean {
  return sense.domain === PERSON_DOMAIN && sense.relations.some(({ kind }) => kind === '@i');
}

/** Words with a larger share of all contexts than this say so little that their vectors are shortened. */
const COMMON_SHARE = 1e-3;

/**
 * Gives each row the length a / (a + share), so that a sum of rows weighs words by rarity (Arora, Liang and Ma, "A simple
 * but tough-to-beat baseline for sentence embeddings", 2017).
 */
function weighByRarity(vectors: Matrix, shares: Float64Array): void {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const { columns, data } = vectors;
  for (let row = 0; row < vectors.rows; row += 1) {
    let squares = 0;
    for (let k = 0; k < columns; k += 1) squares += data[row * columns + k]! ** 2;
    const weight = COMMON_SHARE / (COMMON_SHARE + shares[row]! / total) / (Math.sqrt(squares) || 1);
    for (let k = 0; k < columns; k += 1) data[row * columns + k]! *= weight;
  }
}
