import { createHash } from 'node:crypto';
import { type Life, lives } from './money.ts';

/** One centavo too much, or too little, in one column of one record. */
export interface Damage {
  name: string;
  statement: string;
  /** What the proof names. */
  subject: string;
}

/** As `requestId` in SQL. */
const requestId = (number: number) => createHash('md5').update(`request${number}`).digest('hex').slice(0, 20);

interface DamagedColumn {
  table: string;
  column: string;
  life?: Life;
  by?: 1 | -1;
  /** What the id of the record has before that of the request; the request itself without it. */
  prefix?: string;
  keyColumn?: string;
}

/** The lives with a chargeback, and which part of it the database refuses to change, since they took the whole amount of one account. */
const disputed: Partial<Record<Life, string>> = {
  ...{ lost: '', open: '', taken: '', wonOwed: '' },
  ...{ frozen: 'from_payable_centavos', won: 'from_payable_centavos' },
};
const chargebackColumns = [
  'amount_centavos',
  'fee_centavos',
  'from_payable_centavos',
  'from_escrow_centavos',
];

const columns: DamagedColumn[] = [
  { table: 'captured_payments', column: 'amount_centavos', prefix: 'pay' },
  { table: 'captured_payments', column: 'fee_centavos', prefix: 'pay' },
  { table: 'captured_payments', column: 'amount_centavos', life: 'twice', prefix: 'pay_second' },
  ...(['usual', 'byHand', 'split', 'taken'] as const).map((life) => ({
    ...{ table: 'disbursements', column: 'amount_centavos', life, prefix: 'payout' },
  })),
  ...(['usual', 'byHand', 'split'] as const).map((life) => ({
    ...{ table: 'attempts', column: 'amount_centavos', life, prefix: 'payout', keyColumn: 'disbursement_id' },
  })),
  ...(['twice', 'split', 'refused'] as const).flatMap((life) => [
    { table: 'disbursements', column: 'amount_centavos', life, prefix: 'refund' },
    { table: 'attempts', column: 'amount_centavos', life, prefix: 'refund', keyColumn: 'disbursement_id' },
  ]),
  { table: 'interactions', column: 'price_centavos' },
  // The database refuses more than the price.
  { table: 'interactions', column: 'released_centavos', by: -1 },
  { table: 'interactions', column: 'refund_centavos', life: 'split', by: -1 },
  { table: 'interactions', column: 'refund_centavos', life: 'refused', by: -1 },
  { table: 'request_decisions', column: 'refund_centavos', life: 'split', keyColumn: 'interaction_id' },
  {
    table: 'manual_transfers',
    column: 'amount_centavos',
    life: 'byHand',
    prefix: 'hand',
    keyColumn: 'reference',
  },
  {
    table: 'manual_transfers',
    column: 'amount_centavos',
    life: 'lostByHand',
    prefix: 'BPI',
    keyColumn: 'reference',
  },
  {
    table: 'manual_transfers',
    column: 'amount_centavos',
    life: 'refusedByHand',
    prefix: 'BPI',
    keyColumn: 'reference',
  },
  ...Object.entries(disputed).flatMap(([life, refused]) =>
    chargebackColumns
      .filter((column) => column !== refused)
      .map((column) => ({
        ...{ table: 'chargebacks', column, life: life as Life, prefix: 'dsp' },
        // Not more than the amount.
        ...(refused !== '' && column === 'from_escrow_centavos' && { by: -1 as const }),
      })),
  ),
];

/** Two entries of one movement: a centavo moves from one to the other, so that it sums to zero all the same. */
const pairs: { kind: string; accounts: readonly [string, string]; life?: Life }[] = [
  { kind: 'capture', accounts: ['cash', 'escrow'] },
  { kind: 'capture', accounts: ['tax_withheld', 'escrow'] },
  { kind: 'capture', accounts: ['tax_withheld', 'cash'] },
  { kind: 'capture', accounts: ['fees', 'cash'] },
  { kind: 'release', accounts: ['escrow', 'payable'] },
  { kind: 'release', accounts: ['payable', 'platform_fee'] },
  { kind: 'payout', accounts: ['paid_out', 'payable'] },
  { kind: 'payout', accounts: ['by_hand', 'cash'], life: 'byHand' },
  { kind: 'payout', accounts: ['by_hand', 'paid_out'], life: 'byHand' },
  { kind: 'payout', accounts: ['cash', 'payable'], life: 'byHand' },
  { kind: 'refund', accounts: ['escrow', 'refunded'], life: 'twice' },
  { kind: 'refund', accounts: ['escrow', 'cash'], life: 'split' },
  { kind: 'manual_loss', accounts: ['losses', 'by_hand'], life: 'lostByHand' },
  { kind: 'chargeback', accounts: ['at_risk', 'held_by_provider'], life: 'lost' },
  { kind: 'chargeback', accounts: ['escrow', 'held_by_provider'], life: 'frozen' },
  { kind: 'chargeback', accounts: ['escrow', 'at_risk'], life: 'frozen' },
  { kind: 'chargeback', accounts: ['payable', 'held_by_provider'], life: 'taken' },
  { kind: 'chargeback', accounts: ['payable', 'at_risk'], life: 'taken' },
  { kind: 'chargeback_won', accounts: ['escrow', 'held_by_provider'], life: 'won' },
  { kind: 'chargeback_won', accounts: ['escrow', 'at_risk'], life: 'won' },
  { kind: 'chargeback_won', accounts: ['payable', 'held_by_provider'], life: 'wonOwed' },
  { kind: 'chargeback_won', accounts: ['payable', 'at_risk'], life: 'wonOwed' },
  { kind: 'chargeback_lost', accounts: ['charged_back', 'losses'], life: 'lost' },
  { kind: 'chargeback_lost', accounts: ['fees', 'losses'], life: 'lost' },
  { kind: 'chargeback_lost', accounts: ['cash', 'losses'], life: 'lost' },
  { kind: 'chargeback_lost', accounts: ['held_by_provider', 'at_risk'], life: 'taken' },
  { kind: 'chargeback_lost', accounts: ['escrow', 'losses'], life: 'refused' },
];

/** How many requests of each life have a damage. */
const damaged = new Map<Life, number>();

/** The next request of a life: each damage has a request of its own. */
function nextRequest(life: Life): string {
  const index = damaged.get(life) ?? 0;
  damaged.set(life, index + 1);
  // Those of which nothing is special end with 50 … 59, but for that with a second payment.
  if (life === 'usual') return requestId(Math.floor(index / 9) * 100 + 51 + (index % 9));
  const { each, first } = lives[life];
  return requestId(index * each + first);
}

/** Each in a request of its own. What only the provider says, such as the fee of a transfer, the proof by itself cannot name. */
export const damages: readonly Damage[] = [
  ...columns.map(({ table, column, life = 'usual', by = 1, prefix, keyColumn = 'id' }) => {
    const subject = nextRequest(life);
    const key = prefix === undefined ? subject : `${prefix}_${subject}`;
    return {
      name: `${table}.${column} of ${prefix ?? 'a request'} (${life})`,
      subject,
      statement: `update ${table} set ${column} = ${column} + ${by} where ${keyColumn} = '${key}'`,
    };
  }),
  ...pairs.map(({ kind, accounts: [one, other], life = 'usual' }) => {
    const subject = nextRequest(life);
    return {
      name: `ledger_entries.amount of ${kind} (${one}, ${other}; ${life})`,
      subject,
      statement: `update ledger_entries set amount = amount + case account when '${one}' then 1 else -1 end
        where account in ('${one}', '${other}') and transfer_id in
          (select id from ledger_transfers where kind = '${kind}' and interaction_id = '${subject}' and 2 =
            (select count(*) from ledger_entries where transfer_id = id and account in ('${one}', '${other}')))`,
    };
  }),
];
