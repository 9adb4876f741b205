import { attributeFault, type Fault, ProviderProblem } from './problem.ts';

type Fields = Record<string, unknown>;
type Need = { optional?: boolean };

/** The value itself when it is an object, otherwise one without fields. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The attributes inside `{ data: { attributes } }`, or the provider's complaint that there are none. */
export function attributesOf(body: unknown): Fields {
  const data = isFields(body) ? body.data : undefined;
  const attributes = isFields(data) ? data.attributes : undefined;
  if (isFields(attributes)) return attributes;
  const missing = data === undefined ? 'data' : 'attributes';
  throw new ProviderProblem(400, attributeFault(missing, 'parameter_required', `${missing} is required.`));
}

/**
 * Reads the fields of one call and gathers every complaint, because the provider tells them all at once.
 * A field that was complained about reads as undefined (or a harmless value); `done` then throws.
 */
export function checking(fields: Fields, within = '') {
  const faults: Fault[] = [];
  const complain = (name: string, code: string, words: string) => {
    faults.push(attributeFault(within + name, code, `${within}${name} ${words}`));
  };
  /** The value when it is given; complains when it is needed and absent. */
  const parameter = (name: string, need: Need) => {
    const value = fields[name];
    if (value !== undefined && value !== null && value !== '') return value;
    if (!need.optional) complain(name, 'parameter_required', 'is required.');
    return undefined;
  };

  return {
    whole(
      name: string,
      { least = 0, most = 999_999_999, ...need }: Need & { least?: number; most?: number } = {},
    ) {
      const value = parameter(name, need);
      if (value === undefined) return 0;
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        complain(name, 'parameter_data_type_invalid', 'should be an integer.');
      } else if (value < least) {
        complain(name, 'parameter_below_minimum', `cannot be less than ${least}.`);
      } else if (value > most) {
        complain(name, 'parameter_above_maximum', `cannot be more than ${most}.`);
      } else return value;
      return 0;
    },
    text(name: string, { most = 255, ...need }: Need & { most?: number } = {}) {
      const value = parameter(name, need);
      if (value === undefined) return undefined;
      if (typeof value !== 'string') complain(name, 'parameter_data_type_invalid', 'should be a string.');
      else if (value.length > most) {
        complain(name, 'parameter_above_maximum', `should have at most ${most} characters.`);
      } else return value;
      return undefined;
    },
    oneOf<const T extends string>(name: string, allowed: readonly T[], need: Need = {}): T | undefined {
      const value = parameter(name, need);
      const match = allowed.find((word) => word === value);
      if (value !== undefined && match === undefined) {
        complain(name, 'parameter_invalid', `should be one of ${allowed.join(', ')}.`);
      }
      return match;
    },
    address(name: string, need: Need = {}) {
      const value = parameter(name, need);
      if (value === undefined) return undefined;
      if (typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)) return value;
      complain(name, 'parameter_format_invalid', 'should be an http or https url.');
      return undefined;
    },
    texts(name: string, allowed: readonly string[], need: Need = {}): string[] {
      const value = parameter(name, need);
      if (value === undefined) return [];
      if (!Array.isArray(value) || value.length === 0 || value.some((item) => typeof item !== 'string')) {
        complain(name, 'parameter_data_type_invalid', 'should be an array of strings.');
        return [];
      }
      const unknown = value.find((item) => !allowed.includes(item));
      if (unknown !== undefined) complain(name, 'parameter_invalid', `cannot contain ${unknown}.`);
      return value;
    },
    fields(name: string, need: Need = {}): Fields {
      const value = parameter(name, need);
      if (value !== undefined && !isFields(value)) {
        complain(name, 'parameter_data_type_invalid', 'should be an object.');
      }
      return isFields(value) ? value : {};
    },
    complain,
    /** Takes over the complaints about a nested part. */
    include(nested: readonly Fault[]) {
      faults.push(...nested);
    },
    faults,
    done() {
      if (faults.length > 0) throw new ProviderProblem(400, ...faults);
    },
  };
}
