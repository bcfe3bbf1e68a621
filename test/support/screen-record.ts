import { createHash } from 'node:crypto';
import type { ScreenRecord } from '../../src/domain/screen.ts';

/** A complete record that says nothing; `changes` make it say something. */
export function screenRecord(id: string, changes: Partial<ScreenRecord> = {}): ScreenRecord {
  const sha256 = createHash('sha256').update(id).digest('hex');
  return {
    id,
    appId: 'app',
    pattern: ['paywall'],
    platform: 'IOS',
    sha256,
    format: 'png',
    bytes: 1234,
    originalKey: `originals/${sha256}.png`,
    imageKey: `images/${sha256}.webp`,
    thumbKey: `thumbs/${sha256}.webp`,
    width: 780,
    height: 1688,
    colors: [{ hex: '#FFFFFF', share: 0.75 }],
    capturedAt: '2026-01-02T03:04:05.000Z',
    ...changes,
  };
}
