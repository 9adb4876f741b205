/** One entry of an error answer, as the provider writes it. */
export type Fault = {
  code: string;
  detail: string;
  sub_code?: string;
  source?: { pointer: string; attribute: string };
};

/** Thrown to answer with the provider's error body; several faults may be told at once. */
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

/** A fault of one attribute. */
export const attributeFault = (attribute: string, code: string, detail: string): Fault => ({
  code,
  detail,
  source: { pointer: attribute, attribute: attribute.split('.').at(-1) ?? attribute },
});
