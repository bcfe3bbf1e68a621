/** Text found in a picture. */
export interface ReadText {
  /** Reading order; lines separated by line feeds; empty when there is none. */
  text: string;
}

/** Optical character recognition. */
export interface TextReader {
  /** Names engine, version and settings; text read under another name may differ. */
  readonly readerId: string;
  /**
   * @param image greyscale or colour PNG, JPEG or WebP
   * @param signal stops the reading; its reason is thrown
   * Throws EngineUnavailableError when the engine cannot start or does not answer in time.
   */
  read(image: Uint8Array, signal?: AbortSignal): Promise<ReadText>;
  close(): Promise<void>;
}
