import { randomBytes } from 'node:crypto';
import type { Client } from '@elastic/elasticsearch';
import screens from '../../../index-mappings/screens.json' with { type: 'json' };
import { ANALYSIS_VERSION } from '../../domain/text.ts';
import { isErrorOfType } from './client.ts';

/** Raise it with every change of index-mappings/screens.json or of what is written into its fields. */
const MAPPING_VERSION = 1;
/** What an index says of itself: one of other fields or another reading of text is not this one. */
const INDEX_VERSION = MAPPING_VERSION * 1000 + ANALYSIS_VERSION;

/** Indexes come and go behind two aliases; nobody names an index itself but whoever made it. */
export interface Indexes {
  /** The alias of the index that is searched. */
  readonly current: string;
  /** The alias of one that is being made, while there is one. */
  readonly next: string;
  /** Makes the first index where there is none, and an empty one in the place of one of another version. */
  ensure(): Promise<void>;
  isRebuilding(): Promise<boolean>;
  /**
   * Makes an empty index behind `next`. One that stands there already is kept where it is of this version.
   * @returns whether one was kept
   */
  begin(): Promise<boolean>;
  /** Makes `next` the current one in one step. The old one stays, without an alias. */
  promote(): Promise<void>;
  /** Drops the indexes of this name that no alias leads to. */
  dropUnused(): Promise<void>;
}

/** @param name the alias of the index that is searched; other names are made from it */
export function createIndexes(client: Client, name: string): Indexes {
  const current = name;
  const next = `${name}-next`;

  /** Throws when there is an index of this name already. */
  async function create(index: string, alias?: string): Promise<string> {
    await client.indices.create({
      index,
      settings: screens.settings as object,
      mappings: { ...(screens.mappings as object), _meta: { version: INDEX_VERSION } },
      ...(alias === undefined ? {} : { aliases: { [alias]: {} } }),
    });
    return index;
  }

  const freshName = () => `${name}-${Date.now()}-${randomBytes(3).toString('hex')}`;

  async function behind(alias: string): Promise<string[]> {
    const found = await client.indices.getAlias({ name: alias }, { ignore: [404] });
    return 'error' in found ? [] : Object.keys(found);
  }

  async function drop(indexes: readonly string[]): Promise<void> {
    if (indexes.length > 0) await client.indices.delete({ index: [...indexes], ignore_unavailable: true });
  }

  async function dropUnused(): Promise<void> {
    const found = await client.indices.getAlias({ index: `${name}-*`, expand_wildcards: 'all' });
    const unused = Object.entries(found).filter(
      ([index, { aliases }]) => isNameOfOurs(index) && Object.keys(aliases).length === 0,
    );
    await drop(unused.map(([index]) => index));
  }

  /** Another installation's name may begin as this one does. */
  function isNameOfOurs(index: string): boolean {
    return index.startsWith(`${name}-`) && /^(?:1|\d+-[0-9a-f]{6})$/.test(index.slice(name.length + 1));
  }

  /** Searches see the old index or the new one, never both and never none. */
  async function swap(index: string): Promise<void> {
    const old = (await behind(current)).filter((other) => other !== index);
    const actions = [
      { add: { index, alias: current } },
      ...old.map((other) => ({ remove_index: { index: other } })),
    ];
    await client.indices.updateAliases({ actions });
  }

  async function versionBehind(alias: string): Promise<unknown> {
    const [found] = Object.values(await client.indices.getMapping({ index: alias }));
    return found?.mappings._meta?.['version'];
  }

  return {
    current,
    next,
    async ensure() {
      if ((await behind(current)).length === 0) {
        try {
          // One name for all, so that of several processes that start at once only one succeeds.
          await create(`${name}-1`, current);
        } catch (error) {
          if (!isErrorOfType(error, 'resource_already_exists_exception')) throw error;
        }
      }
      if ((await versionBehind(current)) !== INDEX_VERSION) await swap(await create(freshName()));
    },
    async isRebuilding() {
      return client.indices.existsAlias({ name: next });
    },
    async begin() {
      const kept =
        (await client.indices.existsAlias({ name: next })) && (await versionBehind(next)) === INDEX_VERSION;
      if (kept) return true;
      await drop(await behind(next));
      await dropUnused();
      await create(freshName(), next);
      return false;
    },
    async promote() {
      const [index] = await behind(next);
      if (index === undefined) throw new Error(`There is no index behind ${next} to switch to.`);
      const old = await behind(current);
      await client.indices.updateAliases({
        actions: [
          { add: { index, alias: current } },
          { remove: { index, alias: next } },
          ...old.map((other) => ({ remove: { index: other, alias: current } })),
        ],
      });
    },
    dropUnused,
  };
}
