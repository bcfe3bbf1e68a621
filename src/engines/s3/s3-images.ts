import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { EngineUnavailableError } from '../../domain/errors.ts';
import { assertContentType, assertImageKey, contentTypeOfKey } from '../../ports/image-key.ts';
import { PRIVATE_PREFIX, isImageKey, type ImageStore } from '../../ports/image-store.ts';
import { isMissingObject, translateS3Error } from './s3-errors.ts';

const CONNECT_TIMEOUT_MS = 3000;
const ANSWER_TIMEOUT_MS = 30_000;
/** The first try and two more, the SDK's back-off between them. */
const ATTEMPTS = 3;
/** Anything larger goes up in parts of this size, several at once, each tried again by itself. S3 takes no smaller than 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Objects never change under their key. */
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

export interface S3Options {
  bucket: string;
  /** Of a self-hosted or other provider's server, addressed by path; absent: AWS itself. */
  endpoint?: string;
  /** Where clients reach the same server, when that is elsewhere. */
  publicEndpoint?: string;
  /** Absent: as the AWS tools find it. */
  region?: string;
  /** Where the public objects are served, without a trailing slash. */
  storageUrl: string;
}

export interface S3Images extends ImageStore {
  /** What a server that hands out the public objects itself may answer at this path; see FileSource of the HTTP door. */
  resolve(
    path: string,
  ):
    | { kind: 'public'; key: string; contentType: string }
    | { kind: 'refused'; reason: 'invalid' }
    | undefined;
  close(): Promise<void>;
}

/**
 * Images as objects of a bucket that exists. Credentials are found as the AWS tools find them.
 *
 * Signed addresses lead to the storage itself (AWS Signature Version 4 in the query). Public ones lead to `storageUrl`.
 * Throws ConfigurationError where the storage refuses us; one that cannot be reached yet is no reason not to start.
 */
export async function openS3Images(options: S3Options): Promise<S3Images> {
  const { bucket: Bucket, storageUrl } = options;
  const client = createClient(options, options.endpoint);
  const signer =
    options.publicEndpoint === undefined ? client : createClient(options, options.publicEndpoint);

  async function ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw translateS3Error(error, Bucket);
    }
  }

  async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
    return ask(async () => {
      try {
        return await request();
      } catch (error) {
        if (isMissingObject(error)) return undefined;
        throw error;
      }
    });
  }

  async function has(key: string): Promise<boolean> {
    assertImageKey(key);
    const found = await unlessMissing(() => client.send(new HeadObjectCommand({ Bucket, Key: key })));
    return found !== undefined;
  }

  try {
    await ask(() => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 })));
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
  }

  return {
    has,

    async put(key, body, contentType) {
      assertContentType(key, contentType);
      if (await has(key)) return;
      const params = {
        Bucket,
        Key: key,
        Body: body,
        ContentType: contentType,
        ...(key.startsWith(PRIVATE_PREFIX) ? {} : { CacheControl: CACHE_FOR_EVER }),
      };
      await ask(() => new Upload({ client, params, partSize: PART_BYTES }).done());
    },

    async get(key) {
      const contentType = contentTypeOfKey(key);
      const body = await unlessMissing(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
        return Body?.transformToByteArray();
      });
      return body && { body, contentType };
    },

    async remove(key) {
      assertImageKey(key);
      await ask(() => client.send(new DeleteObjectCommand({ Bucket, Key: key })));
    },

    async *list() {
      const pages = paginateListObjectsV2({ client }, { Bucket });
      for (;;) {
        const page = await ask(() => pages.next());
        if (page.done === true) return;
        for (const { Key } of page.value.Contents ?? []) {
          if (Key !== undefined && isImageKey(Key)) yield Key;
        }
      }
    },

    publicUrl(key) {
      assertImageKey(key);
      return `${storageUrl}/${key}`;
    },

    async signedUrl(key, { expiresAt, filename, contentType }) {
      assertContentType(key, contentType);
      const command = new GetObjectCommand({
        Bucket,
        Key: key,
        ResponseContentType: contentType,
        ResponseCacheControl: 'private, no-store',
        ResponseContentDisposition: attachment(filename),
      });
      const end = Math.floor(expiresAt.getTime() / 1000);
      // What is signed is the time of signing and a lifetime of at least a second.
      const signed = Math.min(Math.floor(Date.now() / 1000), end - 1);
      return ask(() =>
        getSignedUrl(signer, command, {
          signingDate: new Date(signed * 1000),
          expiresIn: end - signed,
        }),
      );
    },

    resolve(path) {
      if (!isImageKey(path)) return undefined;
      if (path.startsWith(PRIVATE_PREFIX)) return { kind: 'refused', reason: 'invalid' };
      return { kind: 'public', key: path, contentType: contentTypeOfKey(path) };
    },

    async close() {
      client.destroy();
      signer.destroy();
    },
  };
}

function createClient(options: S3Options, endpoint: string | undefined): S3Client {
  // Self-hosted servers rarely have regions, or a host name for each bucket; this is the name they go by.
  const region = options.region ?? (endpoint === undefined ? undefined : 'us-east-1');
  return new S3Client({
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: ANSWER_TIMEOUT_MS },
    // Newer checksums are refused by older servers, and would become part of signed addresses.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
}

/** RFC 6266; the library's own names are plain ASCII, so quotes and backslashes are all that needs care. */
function attachment(filename: string): string {
  return `attachment; filename="${filename.replace(/["\\]/g, '\\$&')}"`;
}
