import type { ScreenDocument } from '../../src/ports/search-index.ts';

/** A complete document that says nothing; `changes` make it say something. */
export function screenDocument(id: string, changes: Partial<ScreenDocument> = {}): ScreenDocument {
  return {
    id,
    version: 1,
    appId: 'app',
    pattern: ['paywall'],
    platform: 'IOS',
    colors: [{ hex: '#FFFFFF', share: 1 }],
    capturedAt: '2026-01-02T03:04:05.000Z',
    ...changes,
  };
}
