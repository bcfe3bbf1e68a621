import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../src/domain/errors.ts';
import type { ImageStore } from '../../src/ports/image-store.ts';

export interface ImageStoreUnderTest {
  /** Empty. */
  images: ImageStore;
  /** Answers a GET as the store's own server does. */
  fetch(url: string): Promise<{ status: number; body: Uint8Array; headers: Headers }>;
  close(): Promise<void>;
}

/** What every engine of the ImageStore port keeps to. */
export function describeImageStore(name: string, open: () => Promise<ImageStoreUnderTest>): void {
  describe(`${name} as an image store`, () => {
    let subject: ImageStoreUnderTest;
    let images: ImageStore;
    beforeAll(async () => {
      subject = await open();
      images = subject.images;
    });
    afterAll(() => subject.close());

    const body = (text: string): Uint8Array => new TextEncoder().encode(text);
    const newKey = (folder = 'images', ending = 'webp'): string => {
      const hash = createHash('sha256').update(randomUUID()).digest('hex');
      return `${folder}/${hash.slice(0, 2)}/${hash}.${ending}`;
    };
    const inOneMinute = (): Date => new Date(Date.now() + 60_000);

    test('gives back what was put, with its content type', async () => {
      for (const [ending, contentType] of [
        ['webp', 'image/webp'],
        ['png', 'image/png'],
        ['jpg', 'image/jpeg'],
      ] as const) {
        const key = newKey('images', ending);
        await images.put(key, body(`a ${ending}`), contentType);
        const stored = await images.get(key);
        expect(stored?.contentType).toBe(contentType);
        expect(Buffer.from(stored?.body ?? []).toString()).toBe(`a ${ending}`);
        expect(await images.has(key)).toBe(true);
      }
    });

    test('knows nothing of a key that was never put', async () => {
      const key = newKey();
      expect(await images.get(key)).toBeUndefined();
      expect(await images.has(key)).toBe(false);
      await images.remove(key);
    });

    test('keeps the object when its key is put again', async () => {
      const key = newKey();
      await images.put(key, body('first'), 'image/webp');
      await images.put(key, body('first'), 'image/webp');
      expect(Buffer.from((await images.get(key))?.body ?? []).toString()).toBe('first');
    });

    test('shows all of an object or none while it is written by several at once', async () => {
      const key = newKey();
      const whole = new Uint8Array(2_000_000).fill(7);
      const writes = [1, 2, 3].map(() => images.put(key, whole, 'image/webp'));
      const seen: number[] = [];
      const state = { writing: true };
      const watch = (async () => {
        while (state.writing) {
          const stored = await images.get(key);
          if (stored !== undefined) seen.push(stored.body.byteLength);
        }
      })();
      await Promise.all(writes);
      state.writing = false;
      await watch;
      expect(new Set(seen).size).toBeLessThanOrEqual(1);
      expect((await images.get(key))?.body.byteLength).toBe(whole.byteLength);
    });

    test('lists every key once, and no removed one', async () => {
      const keys = [newKey(), newKey('thumbs'), newKey('originals', 'png')];
      for (const key of keys) {
        await images.put(key, body(key), key.endsWith('png') ? 'image/png' : 'image/webp');
      }
      const listed = async (): Promise<string[]> => {
        const found: string[] = [];
        for await (const key of images.list()) if (keys.includes(key)) found.push(key);
        return found.toSorted();
      };
      expect(await listed()).toEqual(keys.toSorted());
      await images.remove(keys[0] as string);
      expect(await listed()).toEqual(keys.slice(1).toSorted());
      expect(await images.get(keys[0] as string)).toBeUndefined();
    });

    test('serves a public object at its address, and an original at a signed one only', async () => {
      const shown = newKey();
      const original = newKey('originals', 'png');
      await images.put(shown, body('shown'), 'image/webp');
      await images.put(original, body('original'), 'image/png');
      const open = await subject.fetch(images.publicUrl(shown));
      expect([open.status, Buffer.from(open.body).toString()]).toEqual([200, 'shown']);
      expect(open.headers.get('content-type')).toBe('image/webp');
      expect((await subject.fetch(images.publicUrl(original))).status).toBe(403);
      const url = await images.signedUrl(original, {
        expiresAt: inOneMinute(),
        filename: 'start screen.png',
        contentType: 'image/png',
      });
      const download = await subject.fetch(url);
      expect([download.status, Buffer.from(download.body).toString()]).toEqual([200, 'original']);
      expect(download.headers.get('content-type')).toBe('image/png');
      expect(download.headers.get('content-disposition')).toContain('start screen.png');
    });

    test('refuses a signed address that is over, changed, or of another object', async () => {
      const key = newKey('originals', 'png');
      const other = newKey('originals', 'png');
      await images.put(key, body('mine'), 'image/png');
      await images.put(other, body('not mine'), 'image/png');
      const sign = (expiresAt: Date): Promise<string> =>
        images.signedUrl(key, { expiresAt, filename: 'a.png', contentType: 'image/png' });
      const good = await sign(inOneMinute());
      expect((await subject.fetch(good)).status).toBe(200);
      const bad = [
        await sign(new Date(Date.now() - 1000)),
        good.replace(key, other),
        good.replace('a.png', 'b.png'),
        good.replace(/image(%2F|\/)png/i, 'text%2Fhtml'),
        good.slice(0, -4),
      ];
      for (const url of bad) {
        expect(url).not.toBe(good);
        expect((await subject.fetch(url)).status, url).toBe(403);
      }
    });

    test('takes no key that could leave its place', async () => {
      const bad = [
        '',
        '/etc/passwd',
        '../secret.png',
        'images/../../secret.png',
        'images/..webp',
        'images//a.webp',
        'images/.hidden.webp',
        'images\\a.webp',
        'images/A.webp',
        'images/a%2e.webp',
        'images/a.svg',
        'images/a',
        'images/a\0.webp',
        `images/${'a'.repeat(300)}.webp`,
      ];
      for (const key of bad) {
        await expect(images.put(key, body('x'), 'image/webp'), key).rejects.toThrow(InvalidArgumentError);
        await expect(images.get(key), key).rejects.toThrow(InvalidArgumentError);
        await expect(images.has(key), key).rejects.toThrow(InvalidArgumentError);
        await expect(images.remove(key), key).rejects.toThrow(InvalidArgumentError);
        expect(() => images.publicUrl(key), key).toThrow(InvalidArgumentError);
      }
    });

    test('takes no content type that is not that of the key', async () => {
      await expect(images.put(newKey(), body('x'), 'text/html')).rejects.toThrow(InvalidArgumentError);
      await expect(
        images.signedUrl(newKey(), { expiresAt: inOneMinute(), filename: 'a', contentType: 'text/html' }),
      ).rejects.toThrow(InvalidArgumentError);
    });
  });
}
