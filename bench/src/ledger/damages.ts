import { createHash } from 'node:crypto';
import { everyNth } from './money.ts';

/** One centavo too much, or too little, in one column of one record. */
export interface Damage {
  name: string;
  statement: string;
  /** What the proof names. */
  subject: string;
}

/** As `requestId` in SQL. */
const requestId = (number: number) => createHash('md5').update(`request${number}`).digest('hex').slice(0, 20);

const columns: {
  table: string;
  column: string;
  each?: number;
  by?: 1 | -1;
  key: (id: string) => string;
  keyColumn?: string;
}[] = [
  { table: 'captured_payments', column: 'amount_centavos', key: (id) => `pay_${id}` },
  { table: 'captured_payments', column: 'fee_centavos', key: (id) => `pay_${id}` },
  {
    table: 'disbursements',
    column: 'amount_centavos',
    each: everyNth.refund,
    key: (id) => `refund_${id}`,
  },
  { table: 'disbursements', column: 'amount_centavos', key: (id) => `payout_${id}` },
  { table: 'attempts', column: 'amount_centavos', key: (id) => `payout_${id}`, keyColumn: 'disbursement_id' },
  {
    table: 'attempts',
    column: 'amount_centavos',
    each: everyNth.refund,
    key: (id) => `refund_${id}`,
    keyColumn: 'disbursement_id',
  },
  { table: 'interactions', column: 'price_centavos', key: (id) => id },
  // The database refuses more than the price.
  { table: 'interactions', column: 'released_centavos', by: -1, key: (id) => id },
  ...['amount_centavos', 'fee_centavos', 'from_payable_centavos', 'from_escrow_centavos'].flatMap(
    (column) => [
      { table: 'chargebacks', column, each: everyNth.lost, key: (id: string) => `dsp_${id}` },
      { table: 'chargebacks', column, each: everyNth.open, key: (id: string) => `dsp_open_${id}` },
    ],
  ),
];

/** Two entries of one movement: a centavo moves from one to the other, so that it sums to zero all the same. */
const pairs: { kind: string; accounts: readonly [string, string]; each?: number }[] = [
  { kind: 'capture', accounts: ['cash', 'escrow'] },
  { kind: 'release', accounts: ['escrow', 'payable'] },
  { kind: 'release', accounts: ['payable', 'platform_fee'] },
  { kind: 'payout', accounts: ['paid_out', 'payable'] },
  { kind: 'refund', accounts: ['escrow', 'refunded'], each: everyNth.refund },
  { kind: 'chargeback', accounts: ['at_risk', 'held_by_provider'], each: everyNth.lost },
  { kind: 'chargeback_lost', accounts: ['charged_back', 'losses'], each: everyNth.lost },
  { kind: 'chargeback_lost', accounts: ['fees', 'losses'], each: everyNth.lost },
  { kind: 'chargeback_lost', accounts: ['cash', 'losses'], each: everyNth.lost },
];

/** Each in a request of its own. What only the provider says, such as the fee of a transfer, the proof by itself cannot name. */
export const damages: readonly Damage[] = [
  ...columns.map(({ table, column, each = 1, by = 1, key, keyColumn = 'id' }, index) => {
    // Not one of those of another damage.
    const id = requestId(each === 1 ? 101 + index : each * (index + 1));
    return {
      name: `${table}.${column} of ${key('…')}`,
      subject: id,
      statement: `update ${table} set ${column} = ${column} + ${by} where ${keyColumn} = '${key(id)}'`,
    };
  }),
  ...pairs.map(({ kind, accounts: [one, other], each = 1 }, index) => {
    const id = requestId(each === 1 ? 201 + index : each * (columns.length + index + 1));
    return {
      name: `ledger_entries.amount of ${kind} (${one}, ${other})`,
      subject: id,
      statement: `update ledger_entries set amount = amount + case account when '${one}' then 1 else -1 end
        where account in ('${one}', '${other}') and transfer_id in
          (select id from ledger_transfers where kind = '${kind}' and interaction_id = '${id}')`,
    };
  }),
];
