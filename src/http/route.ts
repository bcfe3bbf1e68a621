import type Koa from 'koa';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import type { Plan } from '../domain/vocabulary.ts';
import type { Page } from '../library/list-screens.ts';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from '../middleware/problem.ts';
import type { RequestState } from '../middleware/state.ts';
import { problemSchema } from './schemas.ts';

/** On whose behalf a request is made. */
export interface Caller {
  userId: string;
  plan: Plan;
}

export interface ApiState extends RequestState {
  caller: Caller;
}

export interface ApiContext extends Koa.ParameterizedContext<ApiState> {
  /** Parts of the path, decoded. */
  params: Record<string, string>;
}

/** One operation of the API: what it is in OpenAPI's words, and what it does. All are GET. */
export interface ApiRoute {
  /** Below `/api/v1`, in OpenAPI's spelling: `/screens/{id}`. */
  path: string;
  operation: ZodOpenApiOperationObject;
  /** Runs once the caller is known. Throws what toProblem understands. */
  answer(ctx: ApiContext): Promise<void>;
}

export const idParameter = z.object({
  id: z.string().meta({ description: 'Percent-encoded where need be.' }),
});

/** The answers that every operation can have beside its own. */
const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'invalid_argument',
  'unauthorized',
  'rate_limited',
  'internal',
];

/** The `responses` of an operation: its answer, and the problems that can come instead. */
export function responses(
  description: string,
  schema: z.ZodType,
  problems: readonly ProblemCode[] = [],
): ZodOpenApiOperationObject['responses'] {
  const answers: NonNullable<ZodOpenApiOperationObject['responses']> = {
    '200': { description, content: { 'application/json': { schema } } },
  };
  for (const code of [...COMMON_PROBLEMS, ...problems]) {
    const { status, title, help } = PROBLEMS[code];
    answers[`${status}`] = {
      description: `${title}. ${help}`,
      content: { [PROBLEM_MEDIA_TYPE]: { schema: problemSchema } },
    };
  }
  return answers;
}

/**
 * Answers one page of a list, with the address of the next in a Link header (RFC 8288).
 * @param listUrl the list's configured address, so that nothing in the answer depends on the Host header
 */
export function presentPage(ctx: ApiContext, page: Page<unknown>, listUrl: string): void {
  if (page.nextCursor !== null) {
    const next = new URLSearchParams(ctx.querystring);
    next.set('cursor', page.nextCursor);
    ctx.set('Link', `<${listUrl}?${next.toString()}>; rel="next"`);
  }
  ctx.body = page;
}
