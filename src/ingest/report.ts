import type { NearDuplicate } from '../ports/catalogue.ts';

/** Something of the manifest that did not go in. */
export interface Reject {
  /** Where in the folder's files: `screens[3].platform`, or `screens.jsonl:4 platform`. */
  place: string;
  id?: string;
  /** The image's path below the folder. */
  file?: string;
  /** What is wrong and what would be right, as a sentence without the place. */
  reason: string;
}

export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
  /** Records left out; one record may have several faults. */
  rejected: number;
}

export interface IngestReport {
  screens: Counts;
  flows: Counts;
  rejects: Reject[];
  /** Links of screens of this run to others that show the same, or nearly. */
  nearDuplicates: NearDuplicate[];
  /** The run was told to stop before its end; the same run again goes on from there. */
  interrupted: boolean;
}

export interface Progress {
  /** Screens settled so far, of all that the manifest names. */
  done: number;
  total: number;
  /** The screen that was settled last. */
  id: string;
}

export function noCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0, rejected: 0 };
}
