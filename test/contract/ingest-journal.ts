import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IngestJournal } from '../../src/ports/ingest-journal.ts';

export interface OpenJournal {
  journal: IngestJournal;
  close(): Promise<void>;
}

/** What src/ports/ingest-journal.ts promises, run on every engine. */
export function ingestJournalContract(name: string, open: () => Promise<OpenJournal>): void {
  describe(`ingest journal: ${name}`, () => {
    let stores: OpenJournal;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());

    it('keeps what an ingest has worked out until it is forgotten', async () => {
      const { journal } = stores;
      await journal.write('abc', 'colors', [{ hex: '#FFFFFF', share: 1 }]);
      await journal.write('abc', 'text', 'first');
      await journal.write('abc', 'text', 'second');
      expect(await journal.read('abc')).toEqual({ colors: [{ hex: '#FFFFFF', share: 1 }], text: 'second' });
      expect(await journal.read('other')).toEqual({});
      expect(await journal.images()).toEqual(['abc']);
      await journal.forget('abc');
      await journal.forget('abc');
      expect(await journal.images()).toEqual([]);
    });
  });
}
