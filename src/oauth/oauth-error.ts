import type { OAuthContext } from './context.ts';

/** An error answer in the form of RFC 6749 §5.2, RFC 7591 §3.2.2 and RFC 7009 §2.2.1. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly error: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** @param description for the client's developer: what is wrong and what would be right */
  constructor(
    error: string,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(description);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }
}

/** Answers with the error; nothing that the authorization server says is for caches. */
export function answerError(ctx: OAuthContext, error: OAuthError): void {
  ctx.status = error.status;
  ctx.set({ ...error.headers, 'Cache-Control': 'no-store' });
  ctx.body = { error: error.error, error_description: quotable(error.message) };
}

/** RFC 6749 §5.2: a description has visible ASCII and spaces, without `"` and `\`. */
export function quotable(description: string): string {
  return description.replace(/["\\]/g, "'").replace(/[^\x20-\x7E]/g, '?');
}
