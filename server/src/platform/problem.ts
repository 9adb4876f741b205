import { type ProblemType, problemMessage, problems } from '@tara/contract/problems';

/** Most fields that one error names, and the longest name and rule: an answer is never larger than what was sent. */
const most = { fields: 20, name: 64, rule: 200 } as const;

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

function bounded(fields: Record<string, string>): Record<string, string> {
  // Names may be the caller's own, such as `constructor`: the map inherits none.
  const named: Record<string, string> = Object.create(null);
  for (const [name, rule] of Object.entries(fields).slice(0, most.fields))
    named[cut(name, most.name)] = cut(rule, most.rule);
  return named;
}

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

  /**
   * `text` replaces the catalogue's second line; `fields` names the broken rule per field, of which the first 20 are
   * sent.
   */
  constructor(
    type: ProblemType,
    details: { fields?: Record<string, string>; text?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    const fields = details.fields && bounded(details.fields);
    super(sentence(type, { fields, text: details.text }), { cause: details.cause });
    this.name = 'Problem';
    this.type = type;
    this.code = problems[type].code;
    this.statusCode = this.code;
    this.fields = fields;
    this.text = details.text;
    this.retryAfter = details.retryAfter;
  }
}

function sentence(
  type: ProblemType,
  details: { fields: Record<string, string> | undefined; text: string | undefined },
): string {
  if (details.fields) {
    return Object.entries(details.fields)
      .map(([field, rule]) => `${field}: ${rule}`)
      .join('; ');
  }
  return details.text ? `${problems[type].title} - ${details.text}` : problemMessage(type);
}
