/**
 * Tells what a picture from outside shows, without keeping the picture. The bytes are untrusted: each method throws
 * InvalidArgumentError, naming the parameter `image`, for anything but a sound JPEG, PNG or WebP of reasonable size.
 */
export interface ImageAnalyser {
  /** The layout vector, as ingest makes it of a screen; null for a picture without any edge. */
  layout(image: Uint8Array): Promise<Float32Array | null>;
  /**
   * The text on it, empty when there is none.
   * @param signal stops the reading, which takes seconds; its reason is thrown
   * Throws EngineUnavailableError when text recognition cannot start or does not answer in time.
   */
  text(image: Uint8Array, signal?: AbortSignal): Promise<string>;
}
