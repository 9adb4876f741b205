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
  { table: 'interactions', column: 'price_centavos', key: (id) => id },
  // The database refuses more than the price.
  { table: 'interactions', column: 'released_centavos', by: -1, key: (id) => id },
  { table: 'chargebacks', column: 'amount_centavos', each: everyNth.lost, key: (id) => `dsp_${id}` },
  { table: 'chargebacks', column: 'amount_centavos', each: everyNth.open, key: (id) => `dsp_open_${id}` },
  { table: 'chargebacks', column: 'fee_centavos', each: everyNth.open, key: (id) => `dsp_open_${id}` },
  {
    table: 'chargebacks',
    column: 'from_payable_centavos',
    each: everyNth.open,
    key: (id) => `dsp_open_${id}`,
  },
  {
    table: 'chargebacks',
    column: 'from_escrow_centavos',
    each: everyNth.open,
    key: (id) => `dsp_open_${id}`,
  },
];

/** Each in a request of its own. */
export const damages: readonly Damage[] = [
  ...columns.map(({ table, column, each = 1, by = 1, key, keyColumn = 'id' }, index) => {
    // Not one of those of another damage.
    const id = requestId(each === 1 ? 101 + index : each * (index + 1));
    return {
      name: `${table}.${column}`,
      subject: id,
      statement: `update ${table} set ${column} = ${column} + ${by} where ${keyColumn} = '${key(id)}'`,
    };
  }),
  ...(['capture', 'release', 'payout'] as const).map((kind, index) => ({
    name: `ledger_entries.amount of ${kind}`,
    subject: requestId(201 + index),
    // Two entries, so that the transfer sums to zero all the same.
    statement: `update ledger_entries set amount = amount + case rank when 1 then 1 else -1 end
      from (select transfer_id as id, account as name, row_number() over (order by account) as rank
        from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
        where kind = '${kind}' and interaction_id = '${requestId(201 + index)}'
          and account not in ('fees', 'tax_withheld')) as entries
      where transfer_id = entries.id and account = entries.name and rank <= 2`,
  })),
];
