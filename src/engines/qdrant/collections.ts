import { createHash } from 'node:crypto';
import type { QdrantClient } from '@qdrant/js-client-rest';
import mapping from '../../../index-mappings/vectors.json' with { type: 'json' };
import { ConfigurationError } from '../../domain/errors.ts';
import type { VectorSpaces } from '../../ports/vector-index.ts';
import { call, isMissing, isTaken, unavailable } from './client.ts';

/*
 * Vectors live in one of two collections, `NAME-1` and `NAME-2`; the other is free, or is being filled by a rebuild.
 * Processes know them by aliases that carry the recipe (which model, sizes and mapping made them): `NAME-RECIPE` is
 * in use, `NAME-RECIPE-next` is being made. Aliases change in one call, so nobody ever reads vectors of another recipe
 * than his own, and who writes sees either alias or the other.
 */

/** The collections of one installation, for one recipe. */
export interface Collections {
  /** The alias that is read and written. */
  readonly live: string;
  /** The alias of what a rebuild of the same recipe makes. */
  readonly next: string;
  /** Makes the collection where there is none yet. Throws ConfigurationError where vectors of another recipe are. */
  ensure(): Promise<void>;
  isRebuilding(): Promise<boolean>;
  /** Takes up an interrupted rebuild of this recipe, or begins one, dropping any other. */
  begin(): Promise<{ resumed: boolean }>;
  /** What was being made is in use from now on; what was in use has no alias any more. */
  promote(): Promise<void>;
  /** Drops the collection that no alias names. */
  dropUnused(): Promise<void>;
}

export function createCollections(client: QdrantClient, name: string, spaces: VectorSpaces): Collections {
  const recipe = createHash('sha256')
    .update(JSON.stringify([spaces.modelId, spaces.sizes.text, spaces.sizes.visual, mapping]))
    .digest('hex')
    .slice(0, 12);
  const live = `${name}-${recipe}`;
  const next = `${live}-next`;
  const slots = [`${name}-1`, `${name}-2`];

  /** Alias → collection, of this installation's two collections only. */
  async function readAliases(): Promise<Map<string, string>> {
    const { aliases } = await call(() => client.getAliases());
    return new Map(
      aliases
        .filter(({ collection_name }) => slots.includes(collection_name))
        .map(({ alias_name, collection_name }) => [alias_name, collection_name]),
    );
  }

  const liveOf = (aliases: Map<string, string>) => [...aliases.keys()].find((alias) => !isNext(alias));

  /** Makes a collection with its payload indexes. One of this recipe may be there already, from another process. */
  async function create(collection: string): Promise<void> {
    const vectors = {
      text: { size: spaces.sizes.text, ...distanceOf('text') },
      visual: { size: spaces.sizes.visual, ...distanceOf('visual') },
    };
    const metadata = { recipe, modelId: spaces.modelId, sizes: spaces.sizes };
    const attempt = () => call(() => client.createCollection(collection, { vectors, metadata }));
    await attempt().catch(async (error: unknown) => {
      if (!isTaken(error)) throw error;
      const { config } = await call(() => client.getCollection(collection));
      if (config.metadata?.['recipe'] === recipe) return;
      await drop(collection);
      await attempt();
    });
    for (const [field, schema] of Object.entries(mapping.payload)) {
      await call(() =>
        client.createPayloadIndex(collection, {
          wait: true,
          field_name: field,
          field_schema: schema as 'keyword' | 'integer',
        }),
      );
    }
  }

  async function drop(collection: string): Promise<void> {
    await call(() => client.deleteCollection(collection)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  /** One call, one change: no reader finds neither. An alias of that name is replaced. */
  async function pointAliases(remove: readonly string[], alias: string, collection: string): Promise<void> {
    await call(() =>
      client.updateCollectionAliases({
        actions: [
          // To delete one that is not there is no error.
          ...new Set([...remove, alias]).values().map((alias_name) => ({ delete_alias: { alias_name } })),
          { create_alias: { collection_name: collection, alias_name: alias } },
        ],
      }),
    );
  }

  async function ensure(): Promise<void> {
    const aliases = await readAliases();
    if (aliases.has(live)) return;
    const other = liveOf(aliases);
    const used = other === undefined ? undefined : aliases.get(other);
    if (other !== undefined && used !== undefined && (await holdsPoints(used)))
      throw await madeOtherwise(used);
    // Where another recipe is being made, the one slot left is that of the empty collection in use.
    const free = freeSlot(aliases) ?? used;
    if (free === undefined) throw unavailable('both collections are being rebuilt');
    await create(free);
    await pointAliases(other === undefined ? [] : [other], live, free);
  }

  function freeSlot(aliases: Map<string, string>): string | undefined {
    const named = new Set(aliases.values());
    return slots.find((slot) => !named.has(slot));
  }

  async function holdsPoints(collection: string): Promise<boolean> {
    return (await call(() => client.count(collection, { exact: true }))).count > 0;
  }

  async function madeOtherwise(collection: string): Promise<ConfigurationError> {
    const { config } = await call(() => client.getCollection(collection));
    const modelId = String(config.metadata?.['modelId']);
    const cause =
      modelId === spaces.modelId
        ? `The vectors in Qdrant were laid out by another version of this program, with the embedding model ${modelId}.`
        : `The stored vectors were made by the embedding model ${modelId}, and the model is ${spaces.modelId} now.`;
    return new ConfigurationError(`${cause} Run: npm run reindex -- --vectors`);
  }

  return {
    live,
    next,
    ensure,
    isRebuilding: async () => (await readAliases()).has(next),
    async begin() {
      const aliases = await readAliases();
      if (aliases.has(next)) return { resumed: true };
      const used = aliases.get(liveOf(aliases) ?? '');
      const free = slots.find((slot) => slot !== used);
      if (free === undefined) throw new Error(`${name} has no second collection.`);
      await drop(free);
      await create(free);
      await pointAliases([], next, free);
      return { resumed: false };
    },
    async promote() {
      const aliases = await readAliases();
      const made = aliases.get(next);
      if (made === undefined) throw unavailable('what this rebuild made was dropped by another rebuild');
      await pointAliases([...aliases.keys()], live, made);
    },
    async dropUnused() {
      const named = new Set((await readAliases()).values());
      for (const slot of slots) if (!named.has(slot)) await drop(slot);
    },
  };
}

function isNext(alias: string): boolean {
  return alias.endsWith('-next');
}

function distanceOf(space: keyof typeof mapping.vectors): { distance: 'Cosine' } {
  return mapping.vectors[space] as { distance: 'Cosine' };
}
