import { type ProblemType, problems, sentenceOf } from '@tara/contract/problems';

/**
 * An error of the catalogue, meant for the caller. Anything else that is thrown becomes `general_unknown`
 * and shows nothing but its request id.
 */
export class Problem extends Error {
  readonly type: ProblemType;
  readonly code: number;
  /** The same under Fastify's name, for parts that answer errors their own way. */
  readonly statusCode: number;
  readonly fields: Record<string, string> | undefined;
  readonly text: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  /** `text` replaces the catalogue's second line; `fields` names the broken rule per field. */
  constructor(
    type: ProblemType,
    details: { fields?: Record<string, string>; text?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(sentence(type, details), { cause: details.cause });
    this.name = 'Problem';
    this.type = type;
    this.code = problems[type].code;
    this.statusCode = this.code;
    this.fields = details.fields;
    this.text = details.text;
    this.retryAfter = details.retryAfter;
  }
}

function sentence(type: ProblemType, details: { fields?: Record<string, string>; text?: string }): string {
  if (details.fields) {
    return Object.entries(details.fields)
      .map(([field, rule]) => `${field}: ${rule}`)
      .join('; ');
  }
  return details.text ? `${problems[type].title} - ${details.text}` : sentenceOf(type);
}
