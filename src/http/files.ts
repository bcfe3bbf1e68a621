import { Router } from '@koa/router';
import { entityTag, isCurrent } from '../middleware/conditional-get.ts';
import type { CorsPolicy } from '../middleware/cors.ts';
import { HttpProblem } from '../middleware/problem.ts';
import type { RequestMiddleware, RequestState } from '../middleware/state.ts';

export const FILES_PATH = '/files';

/** Pages of any origin may draw a screen on a canvas, or fetch a download that they were given the address of. */
export const FILES_CORS: CorsPolicy = {
  origins: 'any',
  methods: ['GET', 'HEAD'],
  requestHeaders: ['If-None-Match'],
  exposedHeaders: ['Content-Disposition', 'ETag', 'X-Request-Id'],
};

/** An image store whose addresses lead to this server. */
export interface FileSource {
  /**
   * @param path what follows `/files/`, as sent
   * @returns undefined where no file can have that path
   */
  resolve(
    path: string,
    query: URLSearchParams,
    now: Date,
  ):
    | { kind: 'public'; key: string; contentType: string }
    | { kind: 'download'; key: string; contentType: string; filename: string }
    | { kind: 'refused'; reason: 'expired' | 'invalid' }
    | undefined;
  get(key: string): Promise<{ body: Uint8Array } | undefined>;
}

/** Serves public renditions to everyone, and originals to who holds a signed address. */
export function createFiles(source: FileSource, now: () => Date): RequestMiddleware {
  const router = new Router<RequestState>({ sensitive: true });
  router.get(/^\/files\/(?<path>.+)$/, async (ctx) => {
    const path = ctx.path.slice(FILES_PATH.length + 1);
    const found = source.resolve(path, new URLSearchParams(ctx.querystring), now());
    if (found?.kind === 'refused') {
      throw found.reason === 'expired'
        ? new HttpProblem('link_expired', 'This download address has expired; ask the API for a new one.')
        : new HttpProblem(
            'link_invalid',
            'This download address is not signed, or was changed; ask the API for a new one.',
          );
    }
    const file = found && (await source.get(found.key));
    if (found === undefined || file === undefined)
      throw new HttpProblem('not_found', 'There is no such file.');
    ctx.body = Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength);
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (found.kind === 'download') {
      ctx.attachment(found.filename);
      ctx.set('Cache-Control', 'private, no-store');
    }
    ctx.type = found.contentType;
    if (found.kind === 'public') {
      // A file never changes under its key, so the key stands for its content.
      const etag = entityTag(found.key);
      ctx.set({ ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable' });
      if (isCurrent(ctx, etag)) ctx.status = 304;
    }
  });
  return router.routes() as RequestMiddleware;
}
