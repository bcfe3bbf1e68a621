/**
 * What an interrupted ingest has already worked out, by source image and step, so that a run killed at any point goes on
 * where it stopped. Values are JSON; binary values are base64 inside it.
 */
export interface IngestJournal {
  /** Results of the steps done for this image, by step name. Empty when it is new. */
  read(sha256: string): Promise<Record<string, unknown>>;
  /** Records one step's result; the same step again replaces it. */
  write(sha256: string, step: string, result: unknown): Promise<void>;
  /** SHA-256 of every image that has results, in no particular order: the ingests under way or interrupted. */
  images(): Promise<string[]>;
  /** Forgets an image whose record is in the catalogue. Unknown images are a no-op. */
  forget(sha256: string): Promise<void>;
}
