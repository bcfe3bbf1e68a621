import type { ScreenRecord } from '../../src/domain/screen.ts';

/** A complete record that says nothing; `changes` make it say something. */
export function screenRecord(id: string, changes: Partial<ScreenRecord> = {}): ScreenRecord {
  return {
    id,
    appId: 'app',
    pattern: ['paywall'],
    platform: 'IOS',
    sha256: id.padEnd(64, '0'),
    format: 'png',
    bytes: 1234,
    originalKey: `originals/${id}.png`,
    imageKey: `images/${id}.webp`,
    thumbKey: `thumbs/${id}.webp`,
    width: 780,
    height: 1688,
    colors: [{ hex: '#FFFFFF', share: 0.75 }],
    capturedAt: '2026-01-02T03:04:05.000Z',
    ...changes,
  };
}
