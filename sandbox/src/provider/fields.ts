import { attributeFault, attributeProblem, type Fault, ProviderProblem } from './problem.ts';

type Fields = Record<string, unknown>;
type Requirement = { optional?: boolean };

const ADDRESS_KEYS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const;

/** The value if it is an object, otherwise an empty object. */
export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The attributes inside `{ data: { attributes } }`. Throws the provider's error when they are missing. */
export function readAttributes(body: unknown): Fields {
  const data = isFields(body) ? body.data : undefined;
  const attributes = isFields(data) ? data.attributes : undefined;
  if (isFields(attributes)) return attributes;
  const missing = data === undefined ? 'data' : 'attributes';
  throw attributeProblem(missing, 'parameter_required', `${missing} is required.`);
}

/**
 * Reads the fields of a call and collects their faults, because the provider reports all of them in one reply.
 * An invalid field reads as undefined or an empty value; `done` throws when there are faults.
 */
export function checkFields(fields: Fields, prefix = '') {
  const faults: Fault[] = [];
  const addFault = (name: string, code: string, message: string) => {
    faults.push(attributeFault(prefix + name, code, `${prefix}${name} ${message}`));
  };
  /** The value of a parameter; adds a fault when it is required and missing. */
  const parameter = (name: string, requirement: Requirement) => {
    const value = fields[name];
    if (value !== undefined && value !== null && value !== '') return value;
    if (!requirement.optional) addFault(name, 'parameter_required', 'is required.');
    return undefined;
  };

  function readFields(name: string, requirement: Requirement): Fields | null {
    const value = parameter(name, requirement);
    if (isFields(value)) return value;
    if (value !== undefined) addFault(name, 'parameter_data_type_invalid', 'should be an object.');
    return null;
  }

  return {
    integer(
      name: string,
      { min = 0, max = 999_999_999, ...requirement }: Requirement & { min?: number; max?: number } = {},
    ) {
      const value = parameter(name, requirement);
      if (value === undefined) return 0;
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        addFault(name, 'parameter_data_type_invalid', 'should be an integer.');
      } else if (value < min) {
        addFault(name, 'parameter_below_minimum', `cannot be less than ${min}.`);
      } else if (value > max) {
        addFault(name, 'parameter_above_maximum', `cannot be more than ${max}.`);
      } else return value;
      return 0;
    },
    text(name: string, { max = 255, ...requirement }: Requirement & { max?: number } = {}) {
      const value = parameter(name, requirement);
      if (value === undefined) return undefined;
      if (typeof value !== 'string') addFault(name, 'parameter_data_type_invalid', 'should be a string.');
      else if (value.length > max) {
        addFault(name, 'parameter_above_maximum', `should have at most ${max} characters.`);
      } else return value;
      return undefined;
    },
    oneOf<const T extends string>(
      name: string,
      allowed: readonly T[],
      requirement: Requirement = {},
    ): T | undefined {
      const value = parameter(name, requirement);
      const match = allowed.find((item) => item === value);
      if (value !== undefined && match === undefined) {
        addFault(name, 'parameter_invalid', `should be one of ${allowed.join(', ')}.`);
      }
      return match;
    },
    url(name: string, requirement: Requirement = {}) {
      const value = parameter(name, requirement);
      if (value === undefined) return undefined;
      if (typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)) return value;
      addFault(name, 'parameter_format_invalid', 'should be an http or https url.');
      return undefined;
    },
    stringList(name: string, allowed: readonly string[], requirement: Requirement = {}): string[] {
      const value = parameter(name, requirement);
      if (value === undefined) return [];
      if (!Array.isArray(value) || value.length === 0 || value.some((item) => typeof item !== 'string')) {
        addFault(name, 'parameter_data_type_invalid', 'should be an array of strings.');
        return [];
      }
      const unknown = value.find((item) => !allowed.includes(item));
      if (unknown !== undefined) addFault(name, 'parameter_invalid', `cannot contain ${unknown}.`);
      return value;
    },
    fields(name: string): Fields {
      return readFields(name, {}) ?? {};
    },
    /** Null when it is omitted, as the provider stores it. */
    optionalFields: (name: string): Fields | null => readFields(name, { optional: true }),
    /** The payer's data with each key, null where it is omitted; null without any. */
    billing(name = 'billing') {
      const payer = readFields(name, { optional: true });
      if (payer === null) return null;
      const text = (fields: Fields, key: string) => (typeof fields[key] === 'string' ? fields[key] : null);
      const address = asFields(payer.address);
      return {
        address: Object.fromEntries(ADDRESS_KEYS.map((key) => [key, text(address, key)])),
        email: text(payer, 'email'),
        name: text(payer, 'name'),
        phone: text(payer, 'phone'),
      };
    },
    addFault,
    /** Adds the faults of a nested object. */
    include(nested: readonly Fault[]) {
      faults.push(...nested);
    },
    faults,
    done() {
      if (faults.length > 0) throw new ProviderProblem(400, ...faults);
    },
  };
}
