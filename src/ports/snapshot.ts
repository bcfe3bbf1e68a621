/** A row of a store: text, numbers, bytes, nothing else. */
export type SnapshotRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Rows of one table; a table comes in as many parts as it takes. */
export interface SnapshotPart {
  table: string;
  rows: readonly SnapshotRow[];
}

/** Everything precious as it was at one moment, in a form that every engine can read and write. */
export interface Snapshot {
  /** Tables before those that refer to them. Writers wait until the last part is read. */
  read(): AsyncIterable<SnapshotPart>;
  /** Whether nothing would be lost by `replace`: there are no accounts and no screens. */
  isEmpty(): Promise<boolean>;
  /**
   * Puts these parts, in the order of `read`, in the place of everything; all or nothing. Indexes have to be built anew.
   * Throws InvalidArgumentError for a table that does not exist.
   */
  replace(parts: AsyncIterable<SnapshotPart>): Promise<void>;
}
