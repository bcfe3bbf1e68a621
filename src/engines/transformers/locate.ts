import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RECIPE_FILES } from './recipe.ts';

/** The weights that `dtype` names, in the order of preference: the exact ones first. */
const WEIGHTS = [
  { dtype: 'fp32', file: 'onnx/model.onnx' },
  { dtype: 'fp16', file: 'onnx/model_fp16.onnx' },
  { dtype: 'q8', file: 'onnx/model_quantized.onnx' },
] as const;

/** `owner/name`, as the hub spells its models. */
const HUB_ID = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** A model on disk, or one that the library will download to `folder` when it is loaded. */
export interface ModelPlace {
  readonly name: string;
  /** Absolute path; for a hub id the place in the download cache. */
  readonly folder: string;
  /** What transformers.js is asked for. */
  readonly source: string;
  readonly hub: boolean;
  readonly dtype: (typeof WEIGHTS)[number]['dtype'];
}

/**
 * Finds the model that a setting names: `builtin`, a folder, or a hub id.
 * @throws Error when it is neither, or when the folder lacks a file that loading needs.
 */
export async function locateModel(model: string, modelsDir: string): Promise<ModelPlace> {
  if (model === 'builtin') return folderPlace('builtin', join(modelsDir, 'builtin'));
  const isFolder = await stat(model).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return folderPlace(basename(resolve(model)), resolve(model));
  if (!HUB_ID.test(model)) {
    throw new Error(
      `Embedding model "${model}" is not a folder. Give "builtin", a folder, or a hub id such as "owner/name".`,
    );
  }
  return { name: model, folder: join(hubCache(modelsDir), model), source: model, hub: true, dtype: 'fp32' };
}

/** Where downloaded models are kept; transformers.js lays them out as `owner/name/file`. */
export function hubCache(modelsDir: string): string {
  return resolve(modelsDir, 'hub');
}

/**
 * Downloads the recipe files of a hub model to where its weights will be; a file that the model does not have is
 * skipped. Once the weights are there nothing is asked for again, so that a restart needs no network.
 */
export async function fetchRecipe(place: ModelPlace, host: string): Promise<void> {
  if (existsSync(join(place.folder, weightsFile(place)))) return;
  for (const file of RECIPE_FILES) {
    const target = join(place.folder, file);
    if (existsSync(target)) continue;
    const response = await fetch(new URL(`${place.source}/resolve/main/${file}`, host));
    if (response.status === 404) continue;
    if (!response.ok) {
      throw new Error(
        `Downloading ${file} of embedding model "${place.name}" failed: HTTP ${response.status}.`,
      );
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await response.text());
  }
}

/** Twelve hex digits that change when the weights, the tokenizer or the recipe change. */
export async function fingerprint(place: ModelPlace): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [weightsFile(place), 'tokenizer.json', ...RECIPE_FILES]) {
    const bytes = await readFile(join(place.folder, file)).catch(() => null);
    hash.update(`${file}\0${bytes?.length ?? 'absent'}\0`);
    if (bytes) hash.update(bytes);
  }
  return hash.digest('hex').slice(0, 12);
}

function weightsFile(place: ModelPlace): string {
  return WEIGHTS.find(({ dtype }) => dtype === place.dtype)!.file;
}

function folderPlace(name: string, folder: string): ModelPlace {
  for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    if (!existsSync(join(folder, file))) throw new Error(`Embedding model folder ${folder} has no ${file}.`);
  }
  const weights = WEIGHTS.find(({ file }) => existsSync(join(folder, file)));
  if (!weights) {
    const expected = WEIGHTS.map(({ file }) => file).join(', ');
    throw new Error(`Embedding model folder ${folder} has no weights: expected one of ${expected}.`);
  }
  return { name, folder, source: folder, hub: false, dtype: weights.dtype };
}
