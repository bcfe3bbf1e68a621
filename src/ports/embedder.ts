/** Turns text into vectors whose cosine says how near two texts are in meaning. */
export interface Embedder {
  /** Identifies model and recipe; stored with the vectors. */
  readonly modelId: string;
  /** Length of every vector. */
  readonly dims: number;
  /**
   * Unit-length vectors, one per text, in order; null where the text holds nothing the model knows.
   * Some models encode what is asked and what is stored differently, hence `kind`. A text's vector does not depend on
   * the other texts of the call. Throws once closed.
   */
  embed(texts: readonly string[], kind: 'query' | 'passage'): Promise<(Float32Array | null)[]>;
  /** Waits for calls under way, then frees the model. Closing again does nothing. */
  close(): Promise<void>;
}
