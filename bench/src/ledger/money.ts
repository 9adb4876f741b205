import type { BenchDatabase } from '../setup/database.ts';
import { sqlId } from '../setup/members.ts';

const members = 10_000;
const price = 250_00;
const platformFeeBasisPoints = 500;
const platformFee = 12_50;
const paymentFee = 8_75;
const tax = 18;
const transferFee = 10_00;
const chargebackFee = 800_00;
/** Of a request that an admin split: what goes back to the client, and Tara's fee for the rest. */
const splitRefund = 100_00;
const splitFee = 7_50;

/** What befell every so many requests, by the last digits of their number; all others were paid out. */
export const lives = {
  /** A second payment went back. */
  twice: { each: 10, first: 0 },
  /** Paid out by hand. */
  byHand: { each: 100, first: 1 },
  /** An admin decided that both have a part; the client's went by a transfer. */
  split: { each: 100, first: 2 },
  /** A chargeback was lost after the payout. */
  lost: { each: 500, first: 3 },
  /** A chargeback is open after the payout. */
  open: { each: 1_000, first: 4 },
  /** A chargeback is open that took what is held. */
  frozen: { each: 1_000, first: 5 },
  /** A chargeback took what was owed to the creator. */
  taken: { each: 1_000, first: 6 },
  /** A chargeback took what was held, and was won before the payout. */
  won: { each: 1_000, first: 7 },
  /** A chargeback took what was owed to the creator, and was won before the payout. */
  wonOwed: { each: 1_000, first: 8 },
  /** A refund was on its way when a chargeback was lost, and was refused. */
  refused: { each: 1_000, first: 9 },
  /** Money left by hand after the payout, and is lost. */
  lostByHand: { each: 1_000, first: 11 },
  /** A transfer by hand was refused for recording. */
  refusedByHand: { each: 1_000, first: 12 },
} as const satisfies Record<string, { each: number; first: number }>;

export type Life = keyof typeof lives | 'usual';
const all: readonly Life[] = ['usual', ...(Object.keys(lives) as (keyof typeof lives)[])];
const except = (...some: Life[]) => all.filter((life) => !some.includes(life));

const id = sqlId('request', 'number');
const creator = `${sqlId('profile', `(number % ${members})`)}`;
const client = `${sqlId('profile', `((number + 1 + number / ${members}) % ${members})`)}`;

/** SQL of a record of a request, such as `pay_…`. */
const named = (prefix: string) => `'${prefix}_' || ${id}`;

/** A movement of the ledger: of the requests with these lives, with its entries. */
interface Movement {
  kind: string;
  /** What happens once; the request itself unless given. */
  of?: string;
  /** The payment that it is about; the request's own unless given, null where money was lost by hand. */
  payment?: string | null;
  lives: readonly Life[];
  /** By SQL of the account and its owner. */
  entries: Record<string, number>;
}

const own = (account: string) => `'${account}', ''`;
const requestAccount = (account: string) => `'${account}', ${id}`;
const creatorAccount = (account: string) => `'${account}', ${creator}`;

const capture = (payment: string, some: readonly Life[]): Movement => ({
  ...{ kind: 'capture', of: payment, payment, lives: some },
  entries: {
    [own('cash')]: price - paymentFee,
    [own('fees')]: paymentFee + tax,
    [own('tax_withheld')]: -tax,
    [requestAccount('escrow')]: -price,
  },
});

const release = (some: readonly Life[], amount: number, fee: number): Movement => ({
  ...{ kind: 'release', lives: some },
  entries: {
    [requestAccount('escrow')]: amount,
    [own('platform_fee')]: -fee,
    [creatorAccount('payable')]: fee - amount,
  },
});

const byTransfer = { [own('fees')]: transferFee, [own('cash')]: -transferFee };
const payout = (some: readonly Life[], amount: number, costs: Record<string, number>): Movement => ({
  ...{ kind: 'payout', of: 'payout', lives: some },
  entries: { [creatorAccount('payable')]: amount, [creatorAccount('paid_out')]: -amount, ...costs },
});

/** What a chargeback took of what was held and of what was owed; the rest was Tara's own, with the fee. */
const chargeback = (
  some: readonly Life[],
  { held = 0, owed = 0, kind = 'chargeback' }: { held?: number; owed?: number; kind?: string },
): Movement => {
  const sign = kind === 'chargeback' ? 1 : -1;
  return {
    ...{ kind, of: 'dsp', lives: some },
    entries: {
      ...(held > 0 && { [requestAccount('escrow')]: sign * held }),
      ...(owed > 0 && { [creatorAccount('payable')]: sign * owed }),
      [own('at_risk')]: sign * (price + chargebackFee - held - owed),
      [requestAccount('held_by_provider')]: -sign * (price + chargebackFee),
    },
  };
};

const lost = (some: readonly Life[], taken = 0): Movement => ({
  ...{ kind: 'chargeback_lost', of: 'dsp', lives: some },
  entries: {
    [requestAccount('held_by_provider')]: price + chargebackFee,
    [own('at_risk')]: taken - price - chargebackFee,
    [own('losses')]: price - taken,
    [own('charged_back')]: -price,
    [own('fees')]: chargebackFee,
    [own('cash')]: -chargebackFee,
  },
});

const earned = price - platformFee;
const notReleased = ['frozen', 'refused'] as const;
const refund = (some: readonly Life[], payment: string, amount: number, costs: Record<string, number>) => ({
  ...{ kind: 'refund', of: 'refund', payment, lives: some },
  entries: { [requestAccount('escrow')]: amount, [requestAccount('refunded')]: -amount, ...costs },
});

const movements: Movement[] = [
  capture('pay', all),
  capture('pay_second', ['twice']),
  chargeback(['won', 'frozen'], { held: price }),
  chargeback(['won'], { held: price, kind: 'chargeback_won' }),
  release(except(...notReleased, 'split'), price, platformFee),
  release(['split'], price - splitRefund, splitFee),
  chargeback(['wonOwed', 'taken'], { owed: earned }),
  chargeback(['wonOwed'], { owed: earned, kind: 'chargeback_won' }),
  payout(except(...notReleased, 'taken', 'byHand', 'split'), earned, byTransfer),
  payout(['byHand'], earned, { [own('by_hand')]: -earned, [own('cash')]: earned }),
  payout(['split'], price - splitRefund - splitFee, byTransfer),
  refund(['twice'], 'pay_second', price, {}),
  refund(['split'], 'pay', splitRefund, byTransfer),
  chargeback(['lost', 'open', 'refused'], {}),
  lost(['lost', 'refused']),
  lost(['taken'], earned),
  {
    ...{ kind: 'chargeback_lost', of: 'refused', lives: ['refused'] },
    entries: { [requestAccount('escrow')]: price, [own('losses')]: -price },
  },
  {
    ...{ kind: 'manual_loss', of: 'BPI', payment: null, lives: ['lostByHand'] },
    entries: { [own('losses')]: price, [own('by_hand')]: -price },
  },
];

/** Money that is to leave: of whom, how, and how far it is. */
interface Leaving {
  purpose: 'payout' | 'refund';
  lives: readonly Life[];
  payment?: string;
  amount: number;
  way: 'provider' | 'transfer' | 'hand';
  isVoid?: boolean;
  /** How the attempt ended, where there was one. */
  attempt?: 'arrived' | 'refused';
}

const arrived = { attempt: 'arrived' } as const;
const leaving: Leaving[] = [
  {
    ...{ purpose: 'payout', lives: except(...notReleased, 'taken', 'byHand', 'split'), amount: earned },
    ...{ way: 'transfer', ...arrived },
  },
  { purpose: 'payout', lives: ['byHand'], amount: earned, way: 'hand', ...arrived },
  {
    ...{ purpose: 'payout', lives: ['split'], amount: price - splitRefund - splitFee, way: 'transfer' },
    ...arrived,
  },
  { purpose: 'payout', lives: ['taken'], amount: earned, way: 'transfer', isVoid: true },
  {
    ...{ purpose: 'refund', lives: ['twice'], payment: 'pay_second', amount: price, way: 'provider' },
    ...arrived,
  },
  { purpose: 'refund', lives: ['split'], amount: splitRefund, way: 'transfer', ...arrived },
  {
    ...{ purpose: 'refund', lives: ['refused'], amount: price, way: 'provider' },
    ...{ isVoid: true, attempt: 'refused' },
  },
];

const isOne = (some: readonly Life[]) => `life in (${some.map((life) => `'${life}'`).join(', ')})`;

/** Adds requests 0 … count - 1, nearly all completed and paid out, with all of their money, by a statement for each table and movement. */
export async function addMoney({ sql }: BenchDatabase, count: number): Promise<void> {
  const cases = Object.entries(lives).map(
    ([life, { each, first }]) => `when number % ${each} = ${first} then '${life}'`,
  );
  const numbers = (some: readonly Life[]) => `(
    select * from (select number, case ${cases.join(' ')} else 'usual' end as life
      from generate_series(0, ${count - 1}) as number) as every where ${isOne(some)}) as numbers
    cross join lateral (select now() - interval '20 days' - number * interval '700 days' / ${count} as at) as times`;
  await sql.unsafe(`
    insert into plans (id, creator_id, title, price_centavos, image_id, terms)
    select ${sqlId('plan', 'number')}, ${creator}, 'A walk', ${price}, ${sqlId('face', 'number')}, 'We meet in a public place.'
    from generate_series(0, ${members - 1}) as number`);
  const ended = `case when ${isOne(except(...notReleased))} then at end`;
  await sql.unsafe(`
    insert into interactions (id, plan_id, plan_title, client_id, creator_id, price_centavos, platform_fee_basis_points,
      reference_number, payment_id, paid_at, accepted_at, user_set_done_at, admin_set_done_at, completed_at, paid_out_at, cancelled_at,
      cancel_reason, frozen_at, released_centavos, refund_centavos, created_at, updated_at)
    select ${id}, ${sqlId('plan', `(number % ${members})`)}, 'A walk', ${client}, ${creator}, ${price}, ${platformFeeBasisPoints},
      'ref' || number, ${named('pay')}, at, at, ${ended}, ${ended}, ${ended}, case when life <> 'taken' then ${ended} end,
      case when life = 'refused' then at end, case when life = 'refused' then 'declined' end, case when life = 'frozen' then at end,
      case when life = 'split' then ${price - splitRefund} when ${isOne(notReleased)} then 0 else ${price} end,
      case when life = 'split' then ${splitRefund} when life = 'refused' then ${price} else 0 end, at, at
    from ${numbers(all)}`);
  await sql.unsafe(`
    insert into request_decisions (interaction_id, occasion, outcome, refund_centavos, note, created_at)
    select ${id}, 'dispute', 'split', ${splitRefund}, 'Both were there.', at from ${numbers(['split'])}`);
  for (const [payment, some] of [
    ['pay', all],
    ['pay_second', ['twice']],
  ] as const)
    await sql.unsafe(`
      insert into captured_payments (id, interaction_id, amount_centavos, fee_centavos, method, paid_at)
      select ${named(payment)}, ${id}, ${price}, ${paymentFee}, 'card', at from ${numbers(some)}`);
  for (const { purpose, lives: some, payment = 'pay', amount, way, isVoid = false, attempt } of leaving) {
    await sql.unsafe(`
      insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, created_at,
        updated_at, arrived_at)
      select ${named(purpose)}, ${id}, ${named(payment)}, '${purpose}', ${purpose === 'payout' ? creator : client}, '${way}', ${amount},
        '${isVoid ? 'void' : 'arrived'}', at, at, ${isVoid ? 'null' : 'at'}
      from ${numbers(some)}`);
    if (attempt === undefined) continue;
    await sql.unsafe(`
      insert into attempts (disbursement_id, number, way, key, amount_centavos, state, reference, created_at, sent_at, ended_at)
      select ${named(purpose)}, 1, '${way}', ${way === 'hand' ? 'null' : `${named(purpose)} || ':1'`}, ${amount}, '${attempt}',
        ${named(way)}, at, at, at
      from ${numbers(some)}`);
  }
  await addTransfersByHand({ sql }, numbers);
  for (const [some, state, held, owed] of [
    [['lost', 'refused'], 'lost', 0, 0],
    [['taken'], 'lost', 0, earned],
    [['open'], 'open', 0, 0],
    [['frozen'], 'open', price, 0],
    [['won'], 'won', price, 0],
    [['wonOwed'], 'won', 0, earned],
  ] as const)
    await sql.unsafe(`
      insert into chargebacks (id, payment_id, interaction_id, amount_centavos, fee_centavos, from_escrow_centavos,
        from_payable_centavos, state, evidence, due_on, decided_at)
      select ${named('dsp')}, ${named('pay')}, ${id}, ${price}, ${chargebackFee}, ${held}, ${owed}, '${state}', '{}', now()::date,
        ${state === 'open' ? 'null' : 'now()'}
      from ${numbers(some)}`);
  let firstId = 1;
  for (const { kind, of, payment = 'pay', lives: some, entries } of movements) {
    await sql.unsafe(`
      insert into ledger_transfers (id, key, kind, interaction_id, payment_id, created_at) overriding system value
      select ${firstId} + number, '${kind}:' || ${of === undefined ? id : named(of)}, '${kind}', ${id},
        ${payment === null ? 'null' : named(payment)}, at
      from ${numbers(some)}`);
    const rows = Object.entries(entries).map(([account, amount]) => `(${account}, ${amount})`);
    await sql.unsafe(`
      insert into ledger_entries (transfer_id, account, owner, amount)
      select ${firstId} + number, account, owner, amount
      from ${numbers(some)} cross join lateral (values ${rows.join(', ')}) as entries (account, owner, amount)`);
    firstId += count;
  }
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
}

/** Those that were recorded, those that are lost, and those that were refused, which the audit log has. */
async function addTransfersByHand(
  { sql }: Pick<BenchDatabase, 'sql'>,
  numbers: (some: readonly Life[]) => string,
): Promise<void> {
  for (const [life, state, reference, amount] of [
    ['byHand', 'booked', 'hand', earned],
    ['lostByHand', 'lost', 'BPI', price],
    ['refusedByHand', 'refused', 'BPI', price],
  ] as const)
    await sql.unsafe(`
      insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem, created_at)
      select ${named(reference)}, ${named('payout')}, ${id}, ${amount}, '${state}',
        ${state === 'booked' ? 'null' : "'It was not recorded.'"}, at
      from ${numbers([life])}`);
  await sql.unsafe(`
    insert into audit_log (actor_account_id, action, subject, after, created_at)
    select 'admin', 'payout.refuse', 'payout:' || ${named('payout')},
      jsonb_build_object('reference', ${named('BPI')}, 'amountCentavos', ${price}), at
    from ${numbers(['refusedByHand', 'lostByHand'])}`);
}
