import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, EngineUnavailableError } from '../../src/domain/errors.ts';
import { openS3Images } from '../../src/engines/s3/s3-images.ts';
import { describeImageStore } from '../contract/image-store.ts';
import { S3_CREDENTIALS, S3_REGION, startS3, type TestS3 } from '../support/s3.ts';

const KEY = `originals/0a/${'0a'.repeat(32)}.png`;

let s3: TestS3;
beforeAll(async () => {
  Object.assign(process.env, S3_CREDENTIALS);
  s3 = await startS3();
  // The first time on a machine it is built.
}, 900_000);
afterAll(() => s3.close());

async function open(changes: { bucket?: string; endpoint?: string; publicEndpoint?: string } = {}) {
  const { endpoint } = s3;
  const bucket = changes.bucket ?? (await s3.createBucket());
  const storageUrl = `${endpoint}/${bucket}`;
  return openS3Images({ endpoint, region: S3_REGION, storageUrl, ...changes, bucket });
}

describeImageStore('an S3 bucket', async () => {
  const images = await open();
  return {
    images,
    async fetch(url) {
      const answer = await fetch(url);
      return {
        status: answer.status,
        body: new Uint8Array(await answer.arrayBuffer()),
        headers: answer.headers,
      };
    },
    close: () => images.close(),
  };
});

describe('an S3 bucket', () => {
  it('takes a large original in parts', async () => {
    const images = await open();
    const large = Uint8Array.from({ length: 20 * 1024 * 1024 }, (_, index) => index % 251);
    await images.put(KEY, large, 'image/png');
    const stored = await images.get(KEY);
    expect(Buffer.compare(stored?.body ?? new Uint8Array(), large)).toBe(0);
    await images.close();
  });

  it('signs for where clients reach the storage, when that is elsewhere', async () => {
    const images = await open({ publicEndpoint: 'https://images.example.com' });
    const signing = { expiresAt: new Date(Date.now() + 60_000), filename: 'a.png', contentType: 'image/png' };
    expect(new URL(await images.signedUrl(KEY, signing)).origin).toBe('https://images.example.com');
    await images.close();
  });

  it('tells what the operator has to mend', async () => {
    await expect(open({ bucket: 'no-such-bucket' })).rejects.toThrow(ConfigurationError);
    await expect(open({ bucket: 'no-such-bucket' })).rejects.toThrow(/S3_BUCKET.*no-such-bucket/);
    const bucket = await s3.createBucket();
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another';
    try {
      await expect(open({ bucket })).rejects.toThrow(/S3_BUCKET.*SignatureDoesNotMatch/);
    } finally {
      Object.assign(process.env, S3_CREDENTIALS);
    }
  });

  it('starts while the storage is away, says so at every call, and goes on when it is back', async () => {
    const bucket = await s3.createBucket();
    await s3.stop();
    const images = await open({ bucket });
    const put = () => images.put(KEY, new TextEncoder().encode('x'), 'image/png');
    await expect(put()).rejects.toThrow(EngineUnavailableError);
    await expect(images.get(KEY)).rejects.toThrow(EngineUnavailableError);
    await expect(images.list()[Symbol.asyncIterator]().next()).rejects.toThrow(EngineUnavailableError);
    await s3.start();
    await put();
    expect(await images.has(KEY)).toBe(true);
    await images.close();
  });
});
