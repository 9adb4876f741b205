import { z } from 'zod';

/** One entry of the provider's `errors[]`. */
export const ProviderFault = z.looseObject({
  code: z.string(),
  detail: z.string().optional(),
  sub_code: z.string().optional(),
  source: z.looseObject({ pointer: z.string().optional(), attribute: z.string().optional() }).optional(),
});
export type ProviderFault = z.infer<typeof ProviderFault>;

/** The provider refused the call. Contains the status and the unchanged error body (§7). */
export class PaymongoError extends Error {
  readonly status: number;
  readonly errors: readonly ProviderFault[];
  readonly body: unknown;
  /** How long to wait before the next call, in ms; null unless there were too many calls. */
  readonly retryAfterMs: number | null;
  /** What a log may hold: the details are the provider's words, and may name a payer or an account. */
  readonly loggedMessage: string;

  constructor(
    status: number,
    errors: readonly ProviderFault[],
    body: unknown,
    retryAfterMs: number | null = null,
  ) {
    const details = errors.map((fault) => fault.detail ?? fault.code).join(' ');
    super(details || `The payment provider answered ${status}.`);
    this.name = 'PaymongoError';
    this.status = status;
    this.errors = errors;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
    const codes = errors.map(({ code }) => (/^[a-z][a-z0-9_]{0,59}$/.test(code) ? code : 'another code'));
    this.loggedMessage = `The payment provider answered ${[status, ...codes].join(', ')}.`;
  }

  /** Whether one of the errors has this `code`. */
  has(code: string): boolean {
    return this.errors.some((fault) => fault.code === code);
  }
}

/** Suspicions of fraud, which the provider asks to show to payers as a plain decline. */
const MASKED_DECLINES = new Set([
  'fraudulent',
  'highest_risk_level',
  'lost_card',
  'pickup_card',
  'processor_blocked',
  'restricted_card',
  'stolen_card',
  'blocked',
]);

/** The `failed_code` or `sub_code` of a payment that may be shown to its payer. */
export const payerDeclineCode = (code: string): string =>
  MASKED_DECLINES.has(code) ? 'generic_decline' : code;

export type UnreachableReason = 'timeout' | 'network' | 'unreadable';

/** There was no usable reply. Whether the call took effect is unknown. */
export class PaymongoUnreachable extends Error {
  readonly reason: UnreachableReason;

  constructor(reason: UnreachableReason, call: string, cause?: unknown) {
    super(`No usable answer from the payment provider to ${call} (${reason}).`, { cause });
    this.name = 'PaymongoUnreachable';
    this.reason = reason;
  }
}

/** A required argument is missing; nothing was sent. The message is the same for every argument. */
export class MissingParameter extends Error {
  readonly parameter: string;

  constructor(parameter: string) {
    super('Missing required parameter');
    this.name = 'MissingParameter';
    this.parameter = parameter;
  }
}

/** Throws `MissingParameter` for the first argument that is undefined, null or an empty string. */
export function requireParameters(parameters: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === '') throw new MissingParameter(name);
  }
}

/**
 * Whether the provider refused the call itself, so that it is known to have changed nothing and may be sent again under
 * a new idempotency key. A complaint about the key means that something was sent under it; anything else than a
 * readable refusal leaves it open.
 */
export function isDefiniteRefusal(error: unknown): error is PaymongoError {
  if (!(error instanceof PaymongoError) || ![400, 404, 422].includes(error.status)) return false;
  return error.errors.length > 0 && !/idempoten|\bkey\b/i.test(JSON.stringify(error.errors));
}

/**
 * Whether a failed call may nevertheless have taken effect. Find out with a read
 * (`transfers.findByReference`, `payments.get`), or repeat the call with the same idempotency key.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof PaymongoUnreachable) return true;
  return error instanceof PaymongoError && (error.status >= 500 || error.has('idempotency_in_progress'));
}
