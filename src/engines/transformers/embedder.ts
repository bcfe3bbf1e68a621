import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import type { Embedder } from '../../ports/embedder.ts';
import { fetchRecipe, fingerprint, hubCache, locateModel } from './locate.ts';
import { pool } from './pooling.ts';
import { readRecipe } from './recipe.ts';
import type { Recipe } from './recipe.ts';

export interface TransformersEmbedderOptions {
  /** `builtin`, a folder in the shape transformers.js loads, or a hub id (`owner/name`), downloaded once. */
  readonly model: string;
  /** Holds `builtin/`, and `hub/` for what is downloaded. */
  readonly modelsDir: string;
}

/** Texts run through the model at once: enough to keep it busy, few enough that padding stays small. */
const BATCH_TEXTS = 32;

/**
 * Loads a sentence embedding model through transformers.js, with the pooling and prompts that its folder asks for.
 * @throws Error when the model is missing, incomplete, or needs a step that is not supported
 */
export async function createTransformersEmbedder(options: TransformersEmbedderOptions): Promise<Embedder> {
  const place = await locateModel(options.model, options.modelsDir);
  // Importing costs 190 MB and half a second, so it waits until a model is really wanted.
  const { AutoModel, AutoTokenizer, env } = await import('@huggingface/transformers');
  if (place.hub) await fetchRecipe(place, env.remoteHost);
  const recipe = await readRecipe(place.folder);

  const loading = { local_files_only: !place.hub, cache_dir: hubCache(options.modelsDir) };
  const tokenizer = await AutoTokenizer.from_pretrained(place.source, loading);
  const model = await AutoModel.from_pretrained(place.source, {
    ...loading,
    dtype: place.dtype,
    device: 'cpu',
  });
  const embedBatch = createBatchEmbedder(tokenizer, model, recipe);
  const dims = await probeDims(tokenizer, model, recipe);
  const modelId = `${place.name}@${await fingerprint(place)}`;

  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  async function embedAll(
    texts: readonly string[],
    kind: 'query' | 'passage',
  ): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = texts.map(() => null);
    // Texts of like length share a batch, so that a long one does not make short ones pay for its padding.
    const order = [...texts.keys()]
      .filter((index) => texts[index]!.trim() !== '')
      .toSorted((a, b) => texts[a]!.length - texts[b]!.length);
    for (let start = 0; start < order.length; start += BATCH_TEXTS) {
      const batch = order.slice(start, start + BATCH_TEXTS);
      const pooled = await embedBatch(batch.map((index) => recipe.prompts[kind] + texts[index]!));
      batch.forEach((index, row) => (vectors[index] = pooled[row] ?? null));
    }
    return vectors;
  }

  return {
    modelId,
    dims,
    async embed(texts, kind) {
      if (closing) throw new Error('The embedding model is closed.');
      const call = embedAll(texts, kind);
      underWay.add(call);
      return call.finally(() => underWay.delete(call));
    },
    close() {
      closing ??= Promise.allSettled(underWay).then(async () => void (await model.dispose()));
      return closing;
    },
  };
}

type BatchEmbedder = (texts: string[]) => Promise<(Float32Array | null)[]>;

function createBatchEmbedder(
  tokenizer: PreTrainedTokenizer,
  model: PreTrainedModel,
  recipe: Recipe,
): BatchEmbedder {
  return async (texts) => {
    const { hidden, mask } = await run(tokenizer, model, recipe, texts);
    const [, tokens = 0, dims = 0] = hidden.dims;
    return texts.map((_, row) =>
      pool(hidden.data as Float32Array, mask.data as BigInt64Array, row, { tokens, dims }, recipe.pooling),
    );
  };
}

async function probeDims(
  tokenizer: PreTrainedTokenizer,
  model: PreTrainedModel,
  recipe: Recipe,
): Promise<number> {
  const { hidden } = await run(tokenizer, model, recipe, ['screen']);
  return hidden.dims[2]!;
}

async function run(
  tokenizer: PreTrainedTokenizer,
  model: PreTrainedModel,
  recipe: Recipe,
  texts: string[],
): Promise<{ hidden: Tensor; mask: Tensor }> {
  const inputs = tokenizer(texts, {
    padding: true,
    truncation: true,
    ...(recipe.maxTokens === null ? {} : { max_length: recipe.maxTokens }),
  });
  const outputs: Record<string, Tensor | undefined> = await model(inputs);
  const hidden = outputs['last_hidden_state'] ?? outputs['token_embeddings'];
  if (hidden?.dims.length !== 3) {
    throw new Error(
      'The embedding model gives no token vectors: expected an output named last_hidden_state.',
    );
  }
  return { hidden, mask: inputs.attention_mask };
}
