import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { ScreenRecord } from '../../src/domain/screen.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SCREENS: readonly (Partial<ScreenRecord> & { id: string })[] = [
  { id: 'home', pattern: ['home', 'dashboard'], caption: 'Good morning. Your day at a glance.' },
  {
    id: 'paywall',
    pattern: ['paywall', 'pricing'],
    caption: 'Upgrade to Premium. Yearly or monthly.',
    colors: [{ hex: '#7C3AED', share: 0.8 }],
  },
  { id: 'done', pattern: ['success'], caption: 'Payment received, thank you' },
  { id: 'inbox', appId: 'mail', platform: 'ANDROID', pattern: ['empty-state'], caption: 'No messages yet' },
];

export interface McpService extends TestService {
  screens: readonly ScreenRecord[];
}

/** A small library with real pictures behind the real endpoint. */
export async function startMcpService(settings: Record<string, string> = {}): Promise<McpService> {
  const service = await startTestService({ screens: [], settings });
  const { images, stores } = service.library;
  const screens: ScreenRecord[] = [];
  for (const [index, given] of SCREENS.entries()) {
    const id = createHash('sha256').update(given.id).digest('hex');
    const record = screenRecord(given.id, {
      appId: 'demo',
      platform: 'IOS',
      width: 390,
      height: 844,
      embeddingId: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
      capturedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      ...given,
    });
    await images.put(record.imageKey, await picture(record.colors[0]?.hex ?? '#FFFFFF'), 'image/webp');
    screens.push(record);
  }
  await stores.catalogue.save({ apps: [{ id: 'demo', name: 'Demo' }] });
  await service.addScreens(screens);
  await stores.catalogue.save({
    flows: [
      {
        id: 'demo-upgrade',
        appId: 'demo',
        type: 'paywall',
        name: 'Upgrade',
        screenIds: ['home', 'paywall', 'done'],
        capturedAt: '2026-01-03T00:00:00.000Z',
      },
    ],
  });
  await service.addScreens([]);
  return { ...service, screens };
}

function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 390, height: 844, channels: 3, background } })
    .webp()
    .toBuffer();
}
