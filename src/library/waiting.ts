/** Someone who waits for a slow use case. */
export interface Waiting {
  /** Aborted when nobody waits any more. The use case then stops at its next step and throws the signal's reason. */
  signal?: AbortSignal;
  /** Told of each step that begins, in order. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Steps begun before this one; grows with every call. */
  done: number;
  /** Steps there are as far as is known now; grows where one must be repeated. */
  total: number;
  /** What is being done now, for a person. */
  message: string;
}
