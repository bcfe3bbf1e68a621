import type { DatabaseSync } from 'node:sqlite';
import { colorCell, labOf } from '../../domain/color.ts';
import { analyze } from '../../domain/text.ts';
import type { ScreenDocument } from '../../ports/search-index.ts';
import { inTransaction } from './database.ts';
import { firstSlotAfterSecond, firstSlotOfSecond } from './query-builder.ts';

/** Stands between caption and OCR text, so that no phrase crosses. No analysis gives it, so no question names it. */
const SEPARATOR = '¶';

export interface Writer {
  upsert(documents: readonly ScreenDocument[]): void;
  remove(ids: readonly string[]): void;
}

/** Each call is one transaction. */
export function createWriter(database: DatabaseSync): Writer {
  const versionOf = database.prepare('SELECT version FROM screen WHERE id = ?');
  const slotOf = database.prepare('SELECT slot FROM screen WHERE id = ?');
  const lastSlot = database.prepare('SELECT max(slot) AS slot FROM screen WHERE slot >= ? AND slot < ?');
  // Slots of times after the year 2242 are beyond the integers that a number holds.
  for (const statement of [slotOf, lastSlot]) statement.setReadBigInts(true);
  const insertScreen = database.prepare('INSERT INTO screen VALUES (?, ?, ?, ?, ?, ?)');
  const insertPattern = database.prepare('INSERT OR IGNORE INTO screen_pattern VALUES (?, ?)');
  const insertColor = database.prepare('INSERT OR IGNORE INTO screen_color VALUES (?, ?, ?, ?, ?)');
  const insertText = database.prepare('INSERT INTO screen_text (rowid, word, stem) VALUES (?, ?, ?)');
  const insertWord = database.prepare('INSERT OR IGNORE INTO vocabulary (word) VALUES (?)');
  const deletions = [
    'DELETE FROM screen_text WHERE rowid = ?',
    'DELETE FROM screen_pattern WHERE slot = ?',
    'DELETE FROM screen_color WHERE slot = ?',
    'DELETE FROM screen WHERE slot = ?',
  ].map((sql) => database.prepare(sql));

  function removeScreen(id: string): void {
    const slot = slotOf.get(id)?.['slot'];
    if (slot === undefined) return;
    for (const deletion of deletions) deletion.run(slot);
  }

  function insert(document: ScreenDocument, words: Set<string>): void {
    const { id, version, appId, platform, capturedAt } = document;
    const first = firstSlotOfSecond(capturedAt);
    const last = lastSlot.get(first, firstSlotAfterSecond(capturedAt))?.['slot'];
    const slot = typeof last === 'bigint' ? last + 1n : first;
    insertScreen.run(slot, id, version, appId, platform, capturedAt);
    for (const pattern of document.pattern) insertPattern.run(slot, pattern);
    for (const { hex } of document.colors) {
      const { l, a, b } = labOf(hex);
      insertColor.run(slot, l, a, b, colorCell(hex));
    }
    const caption = analyze(document.caption ?? '');
    const ocr = analyze(document.ocrText ?? '');
    for (const { token } of [...caption, ...ocr]) words.add(token);
    const column = (field: 'token' | 'stem') =>
      [...caption.map((word) => word[field]), SEPARATOR, ...ocr.map((word) => word[field])].join(' ');
    insertText.run(slot, column('token'), column('stem'));
  }

  /** The newest version of each screen, where it is newer than the stored one. */
  function newer(documents: readonly ScreenDocument[]): ScreenDocument[] {
    const chosen = new Map<string, ScreenDocument>();
    for (const document of documents) {
      const known = chosen.get(document.id)?.version ?? versionOf.get(document.id)?.['version'];
      if (typeof known !== 'number' || document.version > known) chosen.set(document.id, document);
    }
    return [...chosen.values()];
  }

  return {
    upsert(documents) {
      inTransaction(database, 'IMMEDIATE', () => {
        const fresh = newer(documents);
        for (const { id } of fresh) removeScreen(id);
        const words = new Set<string>();
        // Ascending slots: FTS5 starts a new segment on disk at every step back.
        for (const document of fresh.toSorted(byCapture)) insert(document, words);
        for (const word of words) insertWord.run(word);
      });
    },
    remove(ids) {
      inTransaction(database, 'IMMEDIATE', () => ids.forEach(removeScreen));
    },
  };
}

function byCapture(one: ScreenDocument, other: ScreenDocument): number {
  return Date.parse(one.capturedAt) - Date.parse(other.capturedAt);
}
