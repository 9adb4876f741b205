import type { z } from 'zod';

/** One entry of an error reply, in the provider's format. */
export type Fault = {
  code: string;
  detail: string;
  sub_code?: string;
  source?: { pointer: string; attribute?: string };
};

/** Thrown to reply with the provider's error body, which may contain several faults. */
export class ProviderProblem extends Error {
  readonly status: number;
  readonly errors: Fault[];

  constructor(status: number, ...errors: Fault[]) {
    super(errors.map((fault) => fault.detail).join(' '));
    this.name = 'ProviderProblem';
    this.status = status;
    this.errors = errors;
  }
}

export const notFound = (id: string) =>
  new ProviderProblem(404, { code: 'resource_not_found', detail: `No such resource with id ${id}.` });

/** The fault of one attribute. */
export const attributeFault = (attribute: string, code: string, detail: string): Fault => ({
  code,
  detail,
  source: { pointer: attribute, attribute: attribute.split('.').at(-1) ?? attribute },
});

/** Refuses a call for one attribute. */
export const attributeProblem = (attribute: string, code: string, detail: string) =>
  new ProviderProblem(400, attributeFault(attribute, code, detail));

/** Parses what a person or test sends to control the sandbox. Throws a 400 that names each invalid field. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw new ProviderProblem(
    400,
    ...parsed.error.issues.map((issue) => ({
      code: 'parameter_invalid',
      detail: `${issue.path.join('.') || 'body'}: ${issue.message}`,
    })),
  );
}
