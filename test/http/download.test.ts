import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedDownload } from '../../src/library/sign-download.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

const record = screenRecord('odd id/ü', { caption: 'A red screen', capturedAt: '2026-02-01T00:00:00.000Z' });
let service: TestService;
let original: Buffer;
let rendition: Buffer;

beforeAll(async () => {
  service = await startTestService({ screens: [] });
  const red = sharp({ create: { width: 8, height: 6, channels: 3, background: '#D93025' } });
  original = await red.png().toBuffer();
  rendition = await red.webp().toBuffer();
  const { images } = service.library;
  await images.put(record.originalKey, original, 'image/png');
  await images.put(record.imageKey, rendition, 'image/webp');
  await images.put(record.thumbKey, rendition, 'image/webp');
  await service.addScreens([{ ...record, bytes: original.length }]);
});
afterAll(() => service.close());

const downloadPath = (id: string) => `/screens/${encodeURIComponent(id)}/download`;

async function ask(
  from: TestService,
  plan: Parameters<TestService['token']>[0],
  id = record.id,
): Promise<Response> {
  return from.get(downloadPath(id), { headers: { authorization: `Bearer ${await from.token(plan)}` } });
}

async function signed(): Promise<SignedDownload> {
  return (await (await ask(service, { plan: 'pro' })).json()) as SignedDownload;
}

describe('/screens/:id/download', () => {
  test.each(['pro', 'team'] as const)('is answered on plan %s', async (plan) => {
    const response = await ask(service, { plan });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
    const download = (await response.json()) as SignedDownload;
    expect(download).toEqual({
      url: expect.stringContaining('/originals/'),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      expiresIn: 300,
      filename: 'odd_id__.png',
      contentType: 'image/png',
      bytes: original.length,
    });
  });

  test.each(['free', 'enterprise'] as const)(
    'is refused on plan %s, whether there is such a screen or not',
    async (plan) => {
      for (const id of [record.id, 'nothing']) {
        const response = await ask(service, { plan }, id);
        expect(response.status).toBe(403);
        expect(response.headers.get('www-authenticate')).toBeNull();
        expect(await response.json()).toMatchObject({
          code: 'plan_required',
          plan,
          requiredPlans: ['pro', 'team'],
        });
      }
    },
  );

  test('is answered on enterprise where that is configured', async () => {
    const generous = await startTestService({
      screens: [record],
      settings: { DOWNLOAD_PLANS: 'pro,team,enterprise' },
    });
    try {
      expect((await ask(generous, { plan: 'enterprise' })).status).toBe(200);
      expect((await ask(generous, { plan: 'free' })).status).toBe(403);
    } finally {
      await generous.close();
    }
  });

  test('is 404 for an unknown screen', async () => {
    const response = await ask(service, { plan: 'pro' }, 'nothing');
    expect(response.status).toBe(404);
  });

  test('is audited, with neither token nor address', async () => {
    await ask(service, { plan: 'free' });
    const { url } = await signed();
    const audit = service.logged.filter((line) => line['audit'] === true);
    expect(audit.at(-2)).toMatchObject({ msg: 'download refused', plan: 'free', screenId: record.id });
    expect(audit.at(-1)).toMatchObject({
      msg: 'download signed',
      plan: 'pro',
      screenId: record.id,
      userId: expect.any(String),
    });
    expect(JSON.stringify(service.logged)).not.toContain(new URL(url).search);
  });
});

describe('the signed address', () => {
  test("serves the original's bytes as an attachment, without a token", async () => {
    const { url, filename } = await signed();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(original)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${filename}"`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('public renditions', () => {
  test('are for everyone, for ever', async () => {
    const response = await fetch(`${service.url}/files/${record.imageKey}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(rendition)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');

    const again = await fetch(`${service.url}/files/${record.imageKey}`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const head = await fetch(`${service.url}/files/${record.imageKey}`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(rendition.length));
  });

  test.each([
    'images/nothing.webp',
    '..%2flibrary.db',
    '%2e%2e/library.db',
    'images/../../library.db',
    'library.db',
    'images',
    'images/',
    '.unfinished/x.webp',
    'images%00.webp',
  ])('/files/%s is nothing', async (path) => {
    const response = await fetch(`${service.url}/files/${path}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('the original is none of them', async () => {
    expect((await fetch(`${service.url}/files/${record.originalKey}`)).status).toBe(403);
  });
});
