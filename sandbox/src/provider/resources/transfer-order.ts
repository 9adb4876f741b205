import { checking, fieldsOf } from '../checks.ts';
import type { Kinds } from '../kinds.ts';

/** The most each rail carries, in centavos. */
const RAIL_LIMITS: Record<string, number> = { instapay: 5_000_000, pesonet: 1_000_000_000 };

/** Reads one entry of a batch: what it orders and what is wrong with it. */
export function readTransfer(order: unknown, index: number) {
  const within = `transfers[${index}].`;
  const check = checking(fieldsOf(order), within);
  const provider = check.oneOf('provider', ['instapay', 'pesonet', 'paymongo']) ?? 'instapay';
  const amount = check.whole('amount', { least: 100, most: RAIL_LIMITS[provider] });
  check.oneOf('currency', ['PHP']);
  const account = (name: string) => {
    const part = checking(check.fields(name), `${within}${name}.`);
    const read = {
      number: part.text('number', { most: 34 }) ?? '',
      name: part.text('name', { most: 140 }) ?? '',
      bic: part.text('bic', { most: 11 }) ?? '',
    };
    check.include(part.faults);
    return read;
  };
  const text = (name: string, most: number) => check.text(name, { most, optional: true }) ?? null;
  const attributes = {
    amount,
    currency: 'PHP',
    provider,
    source_account: account('source_account'),
    destination_account: account('destination_account'),
    reference_number: text('reference_number', 100),
    purpose: text('purpose', 140),
    description: text('description', 255),
    callback_url: check.address('callback_url', { optional: true }) ?? null,
    metadata: check.fields('metadata', { optional: true }),
  } satisfies Partial<Kinds['transfer']>;
  return { attributes, faults: check.faults };
}
