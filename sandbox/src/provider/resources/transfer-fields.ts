import { asFields, checkFields } from '../fields.ts';
import type { Kinds } from '../kinds.ts';

/** The limit of each rail in centavos. */
const RAIL_LIMITS: Record<string, number> = { instapay: 5_000_000, pesonet: 1_000_000_000 };

/** Reads one entry of a batch: its attributes and faults. */
export function readTransfer(entry: unknown, index: number) {
  const prefix = `transfers[${index}].`;
  const check = checkFields(asFields(entry), prefix);
  const provider = check.oneOf('provider', ['instapay', 'pesonet', 'paymongo']) ?? 'instapay';
  const amount = check.integer('amount', { min: 100, max: RAIL_LIMITS[provider] });
  check.oneOf('currency', ['PHP']);
  const account = (name: string) => {
    const fields = checkFields(check.fields(name), `${prefix}${name}.`);
    const value = {
      number: fields.text('number', { max: 34 }) ?? '',
      name: fields.text('name', { max: 140 }) ?? '',
      bic: fields.text('bic', { max: 11 }) ?? '',
    };
    check.include(fields.faults);
    return value;
  };
  const text = (name: string, max: number) => check.text(name, { max, optional: true }) ?? null;
  const attributes = {
    amount,
    currency: 'PHP',
    provider,
    source_account: account('source_account'),
    destination_account: account('destination_account'),
    reference_number: text('reference_number', 100),
    purpose: text('purpose', 140),
    description: text('description', 255),
    callback_url: check.url('callback_url', { optional: true }) ?? null,
    metadata: check.optionalFields('metadata'),
  } satisfies Partial<Kinds['transfer']>;
  return { attributes, faults: check.faults };
}
