import { koaBody } from 'koa-body';
import type { OAuthContext } from './context.ts';
import { OAuthError } from './oauth-error.ts';

const MAX_BODY_BYTES = 64 * 1024;

const readers = {
  json: koaBody({ json: true, jsonLimit: MAX_BODY_BYTES, text: false, urlencoded: false, multipart: false }),
  form: koaBody({ json: false, formLimit: MAX_BODY_BYTES, text: false, urlencoded: true, multipart: false }),
} as const;

/**
 * The members of a JSON object or a form.
 * @param forms the forms that the endpoint takes
 * @param error code for a body that cannot be read
 * Throws OAuthError.
 */
export async function readBody(
  ctx: OAuthContext,
  forms: readonly (keyof typeof readers)[],
  error: string,
): Promise<Record<string, unknown>> {
  const form = forms.find((name) => ctx.is(MEDIA_TYPES[name]));
  if (form === undefined) {
    const wanted = forms.map((name) => MEDIA_TYPES[name]).join(' or ');
    throw new OAuthError(error, `Send the request body as ${wanted}.`);
  }
  try {
    await readers[form](ctx, () => Promise.resolve());
  } catch (fault) {
    if (!(fault instanceof Error) || !('status' in fault)) throw fault;
    throw fault.status === 413
      ? new OAuthError(error, `The request body is over ${MAX_BODY_BYTES} bytes.`, { status: 413 })
      : new OAuthError(error, `The request body must be ${SHAPES[form]}.`);
  }
  const { body } = ctx.request as { body?: unknown };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new OAuthError(error, `The request body must be ${SHAPES[form]}.`);
  }
  return body as Record<string, unknown>;
}

const SHAPES = { json: 'a JSON object', form: 'a form' } as const;
const MEDIA_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
