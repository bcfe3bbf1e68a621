import {
  EngineUnavailableError,
  InvalidArgumentError,
  PlanRequiredError,
  VitrineError,
} from '../domain/errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Every kind of error answer: its status, its title, and what a caller can do about it. */
export const PROBLEMS = {
  invalid_argument: {
    status: 400,
    title: 'Invalid argument',
    help: 'One or more parameters cannot be used as given; `errors` names each with its fault.',
  },
  bad_request: { status: 400, title: 'Bad request', help: 'The request cannot be read; `detail` says why.' },
  unauthorized: {
    status: 401,
    title: 'Access token required',
    help: 'Send an access token in the header `Authorization: Bearer …`; tokens in the query or the body are not read.',
  },
  invalid_token: {
    status: 401,
    title: 'Access token not accepted',
    help: 'The token is expired, revoked, malformed or meant for another resource. Get a new one.',
  },
  plan_required: {
    status: 403,
    title: 'Plan required',
    help: 'The plan of the account does not include this; `plan` and `requiredPlans` say which is there and which would do.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Scope missing',
    help: 'The token was not granted the scope that this needs; the `WWW-Authenticate` header names it.',
  },
  foreign_host: {
    status: 403,
    title: 'Foreign host',
    help: 'The request names another host than the configured one, as in an attack by DNS rebinding.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    help: 'A page of another site sent the request. An operator can admit its origin with ALLOWED_ORIGINS.',
  },
  link_invalid: {
    status: 403,
    title: 'Link not valid',
    help: 'The download address is incomplete or was changed. Ask for a new one.',
  },
  not_found: { status: 404, title: 'Not found', help: 'Nothing is at this address or has this id.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'The address exists, but not for this method; the `Allow` header lists those it takes.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    help: 'The download address was valid for a short time only. Ask for a new one.',
  },
  too_large: { status: 413, title: 'Request too large', help: 'The body of the request is over the limit.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'The body of the request is of a type that is not taken here.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'The account has used up its requests for now; `Retry-After` says in how many seconds there are new ones.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'A fault of the service. Its log tells more under the `X-Request-Id` of the answer.',
  },
  engine_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    help: 'A part of the service cannot be reached; try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, { status: number; title: string; help: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An answer other than the one asked for. `detail` is shown to the caller. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Members beside the standard ones (RFC 9457 §3.2). */
  readonly members: Readonly<Record<string, unknown>>;
  constructor(
    code: ProblemCode,
    detail: string,
    extra: { headers?: Record<string, string>; members?: Record<string, unknown> } = {},
  ) {
    super(detail);
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

/** The problem that an error stands for. What is not meant for callers becomes `internal`, without a word of its own. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof InvalidArgumentError) {
    return new HttpProblem('invalid_argument', error.message, { members: { errors: error.faults } });
  }
  if (error instanceof PlanRequiredError) {
    const { plan, requiredPlans } = error;
    return new HttpProblem('plan_required', error.message, { members: { plan, requiredPlans } });
  }
  if (error instanceof EngineUnavailableError) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return new HttpProblem('engine_unavailable', error.message, { headers });
  }
  if (error instanceof VitrineError && error.code === 'not_found')
    return new HttpProblem('not_found', error.message);
  return (
    fromHttpError(error) ??
    new HttpProblem('internal', 'The service failed to answer. The fault is in its log.')
  );
}

/** Koa and the body parser throw errors with a status and a message that may be shown (`expose`). */
function fromHttpError(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error) || error.expose !== true) {
    return undefined;
  }
  if (error.status === 413) return new HttpProblem('too_large', error.message);
  if (error.status === 415) return new HttpProblem('unsupported_media_type', error.message);
  return error.status === 400 ? new HttpProblem('bad_request', error.message) : undefined;
}

/** The JSON text of a problem (RFC 9457 §3). `docsUrl` is the page that explains every code. */
export function problemJson(problem: HttpProblem, docsUrl: string): string {
  return JSON.stringify({
    type: `${docsUrl}#${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...problem.members,
  });
}
