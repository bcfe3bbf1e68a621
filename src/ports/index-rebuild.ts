/** An index that can be made anew while it serves. */
export interface Rebuildable<Index> {
  /**
   * Begins a new index beside the one in use, or takes up one that was interrupted. From the moment this resolves,
   * every upsert and remove of every process that has the same recipe goes to both; reads see the old one alone.
   * Throws EngineUnavailableError when the engine cannot be reached.
   */
  rebuild(): Promise<IndexRebuild<Index>>;
}

/** An index that is being made beside the one in use. Its calls throw EngineUnavailableError as the index's own do. */
export interface IndexRebuild<Index> {
  /** Reads and writes the new one alone. What is read shows all that was written before. Not to be closed by itself. */
  readonly next: Index;
  /** An interrupted rebuild is taken up: `next` may hold something already. */
  readonly resumed: boolean;
  /** From now on every process reads and writes the new one only. No read fails for it. The old one stays, unused. */
  promote(): Promise<void>;
  /** After promote: drops what is unused. Before: leaves everything to the next rebuild, which takes it up. */
  close(): Promise<void>;
}
