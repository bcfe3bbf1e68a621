import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedDownload } from '../../src/library/sign-download.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

const record = screenRecord('red');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ screens: [record] });
  await service.library.images.put(record.originalKey, new TextEncoder().encode('a picture'), 'image/png');
});
afterAll(() => service.close());

async function signed(): Promise<SignedDownload> {
  return (await (await service.get(`/screens/${record.id}/download`)).json()) as SignedDownload;
}

describe('a signed address of our own server', () => {
  test('is below the storage URL, and nobody guesses what the file may be', async () => {
    const { url } = await signed();
    expect(url).toContain(`${service.url}/files/originals/`);
    expect((await fetch(url)).headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('dies after its time', async () => {
    const { url, expiresIn } = await signed();
    service.advance(expiresIn - 5);
    expect((await fetch(url)).status).toBe(200);
    service.advance(10);
    const response = await fetch(url);
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ code: 'link_expired' });
  });

  test('is worthless once changed', async () => {
    const { url } = await signed();
    const changes = [
      (address: URL) => address.searchParams.set('expires', '99999999999'),
      (address: URL) => address.searchParams.set('filename', 'evil.html'),
      (address: URL) => address.searchParams.set('type', 'text/html'),
      (address: URL) => address.searchParams.set('signature', 'AAAA'),
      (address: URL) => address.searchParams.delete('signature'),
      (address: URL) => (address.pathname = `/files/originals/${'0'.repeat(64)}.png`),
      (address: URL) => (address.search = ''),
    ];
    for (const change of changes) {
      const address = new URL(url);
      change(address);
      const response = await fetch(address);
      expect(response.status, address.href).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'link_invalid' });
    }
  });
});
