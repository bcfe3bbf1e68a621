import type { ColorShare } from '../../domain/color.ts';
import type { FlowRecord, ScreenRecord } from '../../domain/screen.ts';
import type { ScreenRow, Tables } from './schema.ts';

export function toScreenRow(record: ScreenRecord, version: number): ScreenRow {
  return {
    id: record.id,
    app_id: record.appId,
    platform: record.platform,
    pattern: JSON.stringify(record.pattern),
    sha256: record.sha256,
    format: record.format,
    bytes: record.bytes,
    original_key: record.originalKey,
    image_key: record.imageKey,
    thumb_key: record.thumbKey,
    width: record.width,
    height: record.height,
    colors: JSON.stringify(record.colors),
    caption: record.caption ?? null,
    ocr_text: record.ocrText ?? null,
    phash: record.pHash ?? null,
    embedding_id: record.embeddingId ?? null,
    layout:
      record.layout === undefined
        ? null
        : new Uint8Array(record.layout.buffer, record.layout.byteOffset, record.layout.byteLength),
    captured_at: record.capturedAt,
    version,
  };
}

export function toScreenRecord(row: ScreenRow): ScreenRecord {
  return {
    id: row.id,
    appId: row.app_id,
    pattern: JSON.parse(row.pattern) as string[],
    platform: row.platform,
    sha256: row.sha256,
    format: row.format,
    bytes: row.bytes,
    originalKey: row.original_key,
    imageKey: row.image_key,
    thumbKey: row.thumb_key,
    width: row.width,
    height: row.height,
    colors: JSON.parse(row.colors) as ColorShare[],
    ...(row.caption === null ? {} : { caption: row.caption }),
    ...(row.ocr_text === null ? {} : { ocrText: row.ocr_text }),
    ...(row.phash === null ? {} : { pHash: row.phash }),
    ...(row.embedding_id === null ? {} : { embeddingId: row.embedding_id }),
    ...(row.layout === null
      ? {}
      : {
          layout: Int8Array.from(
            new Int8Array(row.layout.buffer, row.layout.byteOffset, row.layout.byteLength),
          ),
        }),
    capturedAt: row.captured_at,
  };
}

export function toFlowRecord(row: Tables['flows'], screenIds: string[]): FlowRecord {
  return {
    id: row.id,
    appId: row.app_id,
    type: row.type,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    screenIds,
    capturedAt: row.captured_at,
  };
}
