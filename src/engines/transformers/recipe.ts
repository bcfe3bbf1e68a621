import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What Sentence Transformers writes beside a model about how to use it. */
export const RECIPE_FILES = [
  'modules.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
] as const;

export type Pooling = 'mean' | 'cls' | 'max' | 'last';

export interface Recipe {
  readonly pooling: Pooling;
  /** Text put before what is embedded. */
  readonly prompts: { readonly query: string; readonly passage: string };
  /** The longest input in tokens; null leaves it to the tokenizer's own limit. */
  readonly maxTokens: number | null;
}

const poolingFile = z.object({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
  pooling_mode_max_tokens: z.boolean().default(false),
  pooling_mode_mean_sqrt_len_tokens: z.boolean().default(false),
  pooling_mode_weightedmean_tokens: z.boolean().default(false),
  pooling_mode_lasttoken: z.boolean().default(false),
  include_prompt: z.boolean().default(true),
});
const promptsFile = z.object({
  prompts: z.record(z.string(), z.string()).nullish(),
  default_prompt_name: z.string().nullish(),
});
const lengthFile = z.object({ max_seq_length: z.number().int().positive().nullish() });
const modulesFile = z.array(z.object({ type: z.string() }));

const KNOWN_MODULES = new Set(['Transformer', 'Pooling', 'Normalize']);

/**
 * Reads how the sentence model in `folder` is meant to be used. Without the files of Sentence Transformers: mean
 * pooling, no prompts.
 * @throws Error when the model needs a step that is not implemented here: its vectors would be quietly wrong.
 */
export async function readRecipe(folder: string): Promise<Recipe> {
  const [modules, pooling, prompts, length] = await Promise.all([
    readJson(folder, RECIPE_FILES[0], modulesFile),
    readJson(folder, RECIPE_FILES[1], poolingFile),
    readJson(folder, RECIPE_FILES[2], promptsFile),
    readJson(folder, RECIPE_FILES[3], lengthFile),
  ]);
  const stranger = modules?.find(({ type }) => !KNOWN_MODULES.has(type.split('.').at(-1)!));
  if (stranger) {
    throw new Error(
      `Embedding model ${folder} has a module "${stranger.type}" in modules.json; only ${[...KNOWN_MODULES].join(', ')} are supported.`,
    );
  }
  const named = prompts?.prompts ?? {};
  const fallback = named[prompts?.default_prompt_name ?? ''] ?? '';
  return {
    pooling: pooling ? poolingOf(pooling, folder) : 'mean',
    prompts: {
      query: named['query'] ?? fallback,
      passage: named['passage'] ?? named['document'] ?? fallback,
    },
    maxTokens: length?.max_seq_length ?? null,
  };
}

function poolingOf(file: z.infer<typeof poolingFile>, folder: string): Pooling {
  const modes: Pooling[] = [];
  if (file.pooling_mode_cls_token) modes.push('cls');
  // Dividing by the root of the length instead of the length is the same once the vector is made unit length.
  if (file.pooling_mode_mean_tokens || file.pooling_mode_mean_sqrt_len_tokens) modes.push('mean');
  if (file.pooling_mode_max_tokens) modes.push('max');
  if (file.pooling_mode_lasttoken) modes.push('last');
  const [mode] = modes;
  if (
    mode === undefined ||
    modes.length > 1 ||
    file.pooling_mode_weightedmean_tokens ||
    !file.include_prompt
  ) {
    throw new Error(
      `Embedding model ${folder} asks in 1_Pooling/config.json for a pooling that is not supported: ` +
        'expected exactly one of cls, mean, max or last token, with the prompt included.',
    );
  }
  return mode;
}

async function readJson<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`Embedding model file ${join(folder, file)} is malformed.`, { cause: error });
  }
}
