import type { BenchDatabase } from '../setup/database.ts';
import { sqlId } from '../setup/members.ts';

const members = 10_000;
const price = 250_00;
const platformFee = 12_50;
const paymentFee = 8_75;
const tax = 18;
const transferFee = 10_00;
const chargebackFee = 800_00;

/** Every so many requests had a second payment that went back, a chargeback that was lost after the payout, and one that is open. */
export const everyNth = { refund: 10, lost: 1_000, open: 5_000 };

const id = sqlId('request', 'number');
const creator = `${sqlId('profile', `(number % ${members})`)}`;

/** A movement of the ledger: of every so many requests, with its entries. */
interface Movement {
  kind: string;
  /** SQL of what happens once. */
  of: string;
  /** SQL of the payment that it is about; the request's own unless given. */
  paymentId?: string;
  each?: number;
  /** By SQL of the account and its owner. */
  entries: Record<string, number>;
}

const payment = `'pay_' || ${id}`;
const dispute = `'dsp_' || ${id}`;
const chargeback = (each: number): Movement => ({
  ...{ kind: 'chargeback', of: dispute, each },
  entries: { "'at_risk', ''": price + chargebackFee, [`'held_by_provider', ${id}`]: -price - chargebackFee },
});
const capture = (of: string, each?: number): Movement => ({
  ...{ kind: 'capture', of, paymentId: of, each },
  entries: {
    "'cash', ''": price - paymentFee,
    "'fees', ''": paymentFee + tax,
    "'tax_withheld', ''": -tax,
    [`'escrow', ${id}`]: -price,
  },
});

const movements: Movement[] = [
  capture(payment),
  {
    ...{ kind: 'release', of: id },
    entries: {
      [`'escrow', ${id}`]: price,
      "'platform_fee', ''": -platformFee,
      [`'payable', ${creator}`]: platformFee - price,
    },
  },
  {
    ...{ kind: 'payout', of: `'payout_' || ${id}` },
    entries: {
      [`'payable', ${creator}`]: price - platformFee,
      [`'paid_out', ${creator}`]: platformFee - price,
      "'fees', ''": transferFee,
      "'cash', ''": -transferFee,
    },
  },
  capture(`'pay_second_' || ${id}`, everyNth.refund),
  {
    ...{
      kind: 'refund',
      of: `'refund_' || ${id}`,
      paymentId: `'pay_second_' || ${id}`,
      each: everyNth.refund,
    },
    entries: { [`'escrow', ${id}`]: price, [`'refunded', ${id}`]: -price },
  },
  chargeback(everyNth.lost),
  {
    ...{ kind: 'chargeback_lost', of: dispute, each: everyNth.lost },
    entries: {
      [`'held_by_provider', ${id}`]: price + chargebackFee,
      "'at_risk', ''": -price - chargebackFee,
      "'losses', ''": price,
      "'charged_back', ''": -price,
      "'fees', ''": chargebackFee,
      "'cash', ''": -chargebackFee,
    },
  },
  { ...chargeback(everyNth.open), of: `'dsp_open_' || ${id}` },
];

/** Adds completed and paid out requests 0 … count - 1, with all of their money, by a statement for each table and movement. */
export async function addMoney({ sql }: BenchDatabase, count: number): Promise<void> {
  const numbers = (each = 1) =>
    `(select n * ${each} as number from generate_series(0, ${Math.ceil(count / each) - 1}) as n) as numbers`;
  const at = `now() - interval '20 days' - number * interval '700 days' / ${count}`;
  await sql.unsafe(`
    insert into plans (id, creator_id, title, price_centavos, image_id, terms)
    select ${sqlId('plan', 'number')}, ${creator}, 'A walk', ${price}, ${sqlId('face', 'number')}, 'We meet in a public place.'
    from generate_series(0, ${members - 1}) as number`);
  await sql.unsafe(`
    insert into interactions (id, plan_id, plan_title, client_id, creator_id, price_centavos, reference_number, payment_id, paid_at,
      accepted_at, user_set_done_at, admin_set_done_at, completed_at, paid_out_at, released_centavos, created_at, updated_at)
    select ${id}, ${sqlId('plan', `(number % ${members})`)}, 'A walk',
      ${sqlId('profile', `((number + 1 + number / ${members}) % ${members})`)}, ${creator}, ${price}, 'ref' || number, ${payment},
      at, at, at, at, at, at, ${price}, at, at
    from ${numbers()} cross join lateral (select ${at} as at) as times`);
  const paymentsOf = (prefix: string, each?: number) => `
    insert into captured_payments (id, interaction_id, amount_centavos, fee_centavos, method, paid_at)
    select '${prefix}' || ${id}, ${id}, ${price}, ${paymentFee}, 'card', ${at} from ${numbers(each)}`;
  await sql.unsafe(paymentsOf('pay_'));
  await sql.unsafe(paymentsOf('pay_second_', everyNth.refund));
  for (const [purpose, recipient, payments, amount, way, each] of [
    ['payout', creator, 'pay_', price - platformFee, 'transfer', 1],
    [
      'refund',
      sqlId('profile', `((number + 1 + number / ${members}) % ${members})`),
      'pay_second_',
      price,
      'provider',
      everyNth.refund,
    ],
  ] as const) {
    await sql.unsafe(`
      insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, created_at,
        updated_at, arrived_at)
      select '${purpose}_' || ${id}, ${id}, '${payments}' || ${id}, '${purpose}', ${recipient}, '${way}', ${amount}, 'arrived',
        ${at}, ${at}, ${at}
      from ${numbers(each)}`);
    await sql.unsafe(`
      insert into attempts (disbursement_id, number, way, key, amount_centavos, state, reference, created_at, sent_at, ended_at)
      select '${purpose}_' || ${id}, 1, '${way}', '${purpose}_' || ${id} || ':1', ${amount}, 'arrived', '${way}_' || ${id},
        ${at}, ${at}, ${at}
      from ${numbers(each)}`);
  }
  for (const [prefix, state, each] of [
    ['dsp_', 'lost', everyNth.lost],
    ['dsp_open_', 'open', everyNth.open],
  ] as const)
    await sql.unsafe(`
      insert into chargebacks (id, payment_id, interaction_id, amount_centavos, fee_centavos, state, evidence, due_on, decided_at)
      select '${prefix}' || ${id}, ${payment}, ${id}, ${price}, ${chargebackFee}, '${state}', '{}', now()::date,
        case '${state}' when 'lost' then now() end
      from ${numbers(each)}`);
  let firstId = 1;
  for (const { kind, of, paymentId = payment, each, entries } of movements) {
    const transfer = `${firstId} + number / ${each ?? 1}`;
    await sql.unsafe(`
      insert into ledger_transfers (id, key, kind, interaction_id, payment_id, created_at) overriding system value
      select ${transfer}, '${kind}:' || ${of}, '${kind}', ${id}, ${paymentId}, ${at} from ${numbers(each)}`);
    const rows = Object.entries(entries).map(([account, amount]) => `(${account}, ${amount})`);
    await sql.unsafe(`
      insert into ledger_entries (transfer_id, account, owner, amount)
      select ${transfer}, account, owner, amount
      from ${numbers(each)} cross join lateral (values ${rows.join(', ')}) as entries (account, owner, amount)`);
    firstId += Math.ceil(count / (each ?? 1));
  }
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
}
