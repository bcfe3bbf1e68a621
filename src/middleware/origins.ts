import { HttpProblem } from './problem.ts';
import type { RequestMiddleware } from './state.ts';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Does the origin name this machine, on whatever port? */
export function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && LOOPBACK_NAMES.includes(url.hostname);
}

/** The origins of our own URLs. Where one is loopback, localhost, 127.0.0.1 and [::1] are one. */
export function ownOrigins(urls: readonly string[]): ReadonlySet<string> {
  return new Set(
    urls.flatMap((text) => {
      const url = new URL(text);
      const names = LOOPBACK_NAMES.includes(url.hostname) ? LOOPBACK_NAMES : [url.hostname];
      const port = url.port === '' ? '' : `:${url.port}`;
      return names.map((name) => `${url.protocol}//${name}${port}`);
    }),
  );
}

/**
 * Refuses requests for another host than the configured ones, with 403: a page that rebinds its own name to our
 * address would otherwise speak to us as if it were ours.
 * @param urls our URLs; the first is named in the answer
 */
export function createHostCheck(urls: readonly [string, ...string[]]): RequestMiddleware {
  const own = [...ownOrigins(urls)];
  return (ctx, next) => {
    const host = ctx.host.toLowerCase();
    // Parsed with our scheme, so that `:443` and its absence are the same.
    if (own.some((origin) => URL.parse(`${new URL(origin).protocol}//${host}`)?.href === `${origin}/`))
      return next();
    throw new HttpProblem(
      'foreign_host',
      `This service is at ${urls[0]}; the request names the host "${host.slice(0, 200)}".`,
    );
  };
}

/**
 * Refuses requests that a page of a foreign origin sends, with 403. Requests without an Origin header do not come from
 * a page of another site and pass.
 * @param ourUrl named in the answer
 */
export function createOriginCheck(admits: (origin: string) => boolean, ourUrl: string): RequestMiddleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin === '' || admits(origin)) return next();
    throw new HttpProblem(
      'foreign_origin',
      `This service is at ${ourUrl}; pages of "${origin.slice(0, 200)}" may not call it here.`,
    );
  };
}
