import type { ColorShare } from './color.ts';
import type { Platform } from './vocabulary.ts';

/** A rendered UI surface of one app, as the API answers it. */
export interface Screen {
  id: string;
  appId: string;
  /** UI patterns in kebab-case, such as `paywall` or `empty-state`. */
  pattern: string[];
  platform: Platform;
  /** Public rendition: WebP, long side at most 1600 px. */
  imageUrl: string;
  /** Small rendition: WebP, long side at most 480 px. */
  thumbUrl: string;
  /** Of the original as displayed, in pixels. */
  width: number;
  height: number;
  /** `#RRGGBB`, most area first. */
  dominantColors: string[];
  /** The manifest's caption where there is one, else the text found by OCR. */
  captionText?: string;
  /** 64-bit perceptual hash, 16 hexadecimal digits. */
  pHash?: string;
  /** UUID of the screen's vectors. */
  embeddingId?: string;
  /** ISO 8601, UTC. */
  capturedAt: string;
}

/** An ordered journey through screens of one app, as the API answers it. */
export interface Flow {
  id: string;
  appId: string;
  /** Kind of journey in kebab-case, such as `onboarding` or `checkout`. */
  type: string;
  name: string;
  description?: string;
  screenIds: string[];
  /** Present only where one flow is asked for. */
  screens?: Screen[];
  /** ISO 8601, UTC. */
  capturedAt: string;
}

/** Image formats that ingest takes. */
export type ImageFormat = 'jpeg' | 'png' | 'webp';

/** A screen as the catalogue keeps it: facts and storage keys; addresses come from configuration when it is shown. */
export interface ScreenRecord {
  id: string;
  appId: string;
  pattern: string[];
  platform: Platform;
  /** SHA-256 of the original file, lower-case hexadecimal. */
  sha256: string;
  format: ImageFormat;
  /** Size of the original file. */
  bytes: number;
  originalKey: string;
  imageKey: string;
  thumbKey: string;
  width: number;
  height: number;
  /** Dominant colours, largest share first. */
  colors: ColorShare[];
  /** From the manifest. */
  caption?: string;
  /** From OCR, reading order, lines separated by line feeds. */
  ocrText?: string;
  pHash?: string;
  embeddingId?: string;
  /** Where lines, blocks and pictures sit on the screen: the layout vector, 576 values of -127…127. */
  layout?: Int8Array;
  capturedAt: string;
}

/** A flow as the catalogue keeps it. */
export type FlowRecord = Omit<Flow, 'screens'>;

/** The app that screens belong to. */
export interface AppRecord {
  id: string;
  name: string;
}

/** What a reader sees as the screen's text: a caption written by a person goes before what OCR found. */
export function captionTextOf(record: Pick<ScreenRecord, 'caption' | 'ocrText'>): string | undefined {
  return record.caption ?? record.ocrText;
}
