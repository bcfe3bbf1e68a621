/**
 * What can be wrong with a question put to the library. The doors (REST, MCP, command line) each translate
 * these into their own form; nothing below them knows HTTP.
 */
export type ErrorCode =
  | 'invalid_argument'
  | 'not_found'
  | 'plan_required'
  | 'engine_unavailable'
  | 'configuration';

/** One fault of one argument, named as the caller spelled it. */
export interface Fault {
  readonly parameter: string;
  /** What is wrong and what would be right, as a sentence. */
  readonly detail: string;
}

/** An error whose message may be shown to the caller. Anything else that is thrown is a defect and stays in the log. */
export class VitrineError extends Error {
  override readonly name: string = 'VitrineError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The question cannot be answered as asked; `faults` says which argument and why. */
export class InvalidArgumentError extends VitrineError {
  override readonly name = 'InvalidArgumentError';
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super('invalid_argument', faults.map((fault) => fault.detail).join(' '));
    this.faults = faults;
  }
}

/** Nothing has this id. */
export class NotFoundError extends VitrineError {
  override readonly name = 'NotFoundError';
  readonly kind: 'screen' | 'flow';
  constructor(kind: 'screen' | 'flow', id: string) {
    super('not_found', `There is no ${kind} with the id "${id.slice(0, 200)}".`);
    this.kind = kind;
  }
}

/** The account's plan does not include what was asked for. */
export class PlanRequiredError extends VitrineError {
  override readonly name = 'PlanRequiredError';
  readonly plan: string;
  readonly requiredPlans: readonly string[];
  constructor(what: string, plan: string, requiredPlans: readonly string[]) {
    super(
      'plan_required',
      `${what} needs one of these plans: ${requiredPlans.join(', ')}. This account is on plan ${plan}.`,
    );
    this.plan = plan;
    this.requiredPlans = requiredPlans;
  }
}

/** An engine behind a port cannot answer now; the rest of the service goes on. */
export class EngineUnavailableError extends VitrineError {
  override readonly name = 'EngineUnavailableError';
  readonly engine: string;
  readonly retryAfterSeconds: number;
  constructor(engine: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super('engine_unavailable', `${engine} cannot be reached at the moment.`, options);
    this.engine = engine;
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 5;
  }
}

/** The message with its cause, in one line, for who runs the service; who calls it gets the message alone. */
export function inFull({ message, cause }: VitrineError): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** A store or index was made with other settings than the ones in force; the message names the command that mends it. */
export class ConfigurationError extends VitrineError {
  override readonly name = 'ConfigurationError';
  constructor(message: string, options?: ErrorOptions) {
    super('configuration', message, options);
  }
}
