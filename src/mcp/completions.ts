import { PLATFORMS } from '../domain/vocabulary.ts';
import { indexedFlows } from '../library/flow-index.ts';
import { listVocabulary, type Vocabulary } from '../library/list-vocabulary.ts';
import type { LibraryPorts } from '../library/ports.ts';

/** The protocol allows a hundred in an answer. */
const MAX_SUGGESTIONS = 100;

/** Values that begin with what was typed, most frequent first; then those that contain it. */
export type Complete = (typed: string) => Promise<string[]>;

export interface Completions {
  screenId: Complete;
  flowId: Complete;
  pattern: Complete;
  flowType: Complete;
  appId: Complete;
  /** Several ids, separated by commas: the last one is completed. */
  appIds: Complete;
  color: Complete;
  platform: Complete;
}

export function createCompletions(library: LibraryPorts): Completions {
  const from = (list: keyof Vocabulary) => async (typed: string) =>
    suggest(
      (await listVocabulary(library))[list].map(({ value }) => value),
      typed,
    );
  const appId = from('apps');
  return {
    async screenId(typed) {
      // Ids that begin with it follow it in order; it itself is no longer in need of completion.
      const following = await library.catalogue.list(typed === '' ? undefined : typed, MAX_SUGGESTIONS);
      return following.map(({ id }) => id).filter((id) => id.startsWith(typed));
    },
    async flowId(typed) {
      const flows = await indexedFlows(library);
      return suggest(
        flows.map(({ flow }) => flow.id),
        typed,
      );
    },
    pattern: from('patterns'),
    flowType: from('flowTypes'),
    appId,
    async appIds(typed) {
      const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(typed) ?? [];
      return (await appId(last)).map((id) => `${before}${id}`);
    },
    color: from('colors'),
    platform: (typed) => Promise.resolve(suggest(PLATFORMS, typed)),
  };
}

function suggest(values: readonly string[], typed: string): string[] {
  const part = typed.trim().toLowerCase();
  const [beginning, containing] = [
    values.filter((value) => value.toLowerCase().startsWith(part)),
    values.filter((value) => value.toLowerCase().indexOf(part) > 0),
  ];
  return [...beginning, ...containing].slice(0, MAX_SUGGESTIONS);
}
