import { evidenceDueOn } from '@tara/paymongo';
import { expect } from 'vitest';
import { oldDatabaseTest } from '../../testing/features/old-database.ts';
import { testPlatform } from '../../testing/platform.ts';
import { recordChargeback } from './chargebacks.ts';
import { type Account, atRisk, chargedBack, escrow, fees, readBalance } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';

/**
 * `chargeBack` stores a dispute of a request's payment, as far as it was booked: of the request `part` a part alone is disputed, of `sent`
 * nothing was left to freeze.
 */
const test = oldDatabaseTest('0271').extend(
  'chargeBack',
  ({ old: { sql, transfer } }) =>
    async (id: string, state: 'open' | 'won' | 'lost') => {
      const amount = id === 'part' ? 10000 : 25000;
      const frozen = id === 'sent' ? 0 : amount;
      await sql`insert into chargebacks (id, payment_id, interaction_id, amount_centavos, from_escrow_centavos, state, evidence, decided_at)
        values (${`dsp_${id}`}, ${`pay_${id}`}, ${id}, ${amount}, ${frozen}, ${state}, '{}', case when ${state} <> 'open' then now() end)`;
      const [escrow, disputed] = [`escrow:${id}`, `disputed:${id}`];
      if (frozen > 0) {
        await transfer(`chargeback:dsp_${id}`, id, { [escrow]: frozen, [disputed]: -frozen });
        await sql`update interactions set frozen_at = now() where id = ${id} and ${state} = 'open'`;
      }
      if (state === 'won')
        await transfer(`chargeback_won:dsp_${id}`, id, { [disputed]: frozen, [escrow]: -frozen });
      if (state === 'lost')
        await transfer(`chargeback_lost:dsp_${id}`, id, {
          ...{ [disputed]: frozen, charged_back: -amount, fees: 80000, cash: -80000 },
        });
    },
);

test('payments that were booked without an id get it where it is known, with their refunds and chargebacks', async ({
  old: { sql, pay, carryOver },
}) => {
  await pay('named', { paymentId: 'pay_1', booked: 'link-named' });
  await pay('usual', { paymentId: 'pay_2', booked: 'pay_2' });
  await pay('unnamed', { paymentId: null, booked: 'link-unnamed' });
  await sql`insert into refunds (id, interaction_id, payment_id, amount_centavos)
    select 'named', 'named', 'link-named', 25000`;
  await sql`insert into chargebacks (id, payment_id, interaction_id, amount_centavos, state, evidence, decided_at)
    values ('dsp_1', 'link-named', 'named', 25000, 'won', '{}', now())`;
  const booked = await sql`select * from ledger_entries order by transfer_id, account`;
  await carryOver();
  const ids = await sql`select id from captured_payments order by interaction_id`;
  expect(ids.map(({ id }) => id)).toEqual(['pay_1', 'link-unnamed', 'pay_2']);
  expect((await sql`select payment_id from disbursements where state = 'owed'`)[0]?.payment_id).toBe('pay_1');
  expect((await sql`select payment_id from chargebacks`)[0]?.payment_id).toBe('pay_1');
  const name = sql`concat_ws(':', account, nullif(owner, ''))`;
  expect(
    await sql`select transfer_id, ${name} as account, amount from ledger_entries order by transfer_id, account`,
  ).toEqual(booked);
});

test('deliveries that could not be read are carried over, and wait for nobody', async ({
  old: { sql, carryOver },
}) => {
  await sql`insert into provider_events (id, type, payload) values ('evt_1', 'payment.paid', '{}')`;
  await sql`insert into unread_deliveries (id, body, problem) values ('a1', 'no JSON', 'It is not JSON.')`;
  await carryOver();
  const rows = await sql`select id, convert_from(body, 'utf8') as body, problem, processed_at is null as waits
    from provider_events order by id`;
  expect(rows).toEqual([
    { id: 'a1', body: 'no JSON', problem: 'It is not JSON.', waits: false },
    { id: 'evt_1', body: null, problem: null, waits: true },
  ]);
});

test('open, won and lost chargebacks are carried over: nothing of what is owed, held or paid changes', async ({
  old: { sql, pay, carryOver },
  chargeBack,
}) => {
  for (const [id, state] of [
    ['open', 'open'],
    ['part', 'open'],
    ['sent', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
  ] as const)
    await pay(id, { paymentId: `pay_${id}`, booked: `pay_${id}` }).then(() => chargeBack(id, state));
  const totals = async () => {
    const rows = await sql`select split_part(account, ':', 1) as account, sum(amount)::int as amount
      from ledger_entries group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
  };
  const before = await totals();
  await carryOver();
  const { disputed, ...others } = before;
  expect(disputed).toBe(-(25000 + 10000));
  // Of the one that was sent, and of the rest of a part, the provider holds what is Tara's own.
  expect(await totals()).toEqual({
    ...others,
    ...{ disputed: 0, at_risk: 25000, held_by_provider: -(25000 + 10000 + 25000) },
  });
});

test('a chargeback that was open before is won or lost by the same amounts', async ({
  old: { database, pay, carryOver },
  chargeBack,
}) => {
  for (const id of ['won', 'lost'])
    await pay(id, { paymentId: `pay_${id}`, booked: `pay_${id}` }).then(() => chargeBack(id, 'open'));
  await carryOver();
  const context = { ...testPlatform(database), provider: {} as never };
  for (const status of ['won', 'lost'])
    await recordChargeback(context, {
      ...{ id: `dsp_${status}`, type: 'dispute' },
      attributes: { amount: 25000, status, payment_id: `pay_${status}` },
    });
  const balance = async (account: Account) => readBalance(database, account);
  expect(await balance(escrow('won'))).toBe(-25000);
  expect(await balance(escrow('lost'))).toBe(0);
  expect([await balance(chargedBack), await balance(fees), await balance(atRisk)]).toEqual([
    -25000, 80000, 0,
  ]);
  expect((await proveLedger(database)).differences).toEqual([]);
});

test('a chargeback has the last day for its evidence, by the day on which it was opened', async ({
  old: { sql, pay, carryOver },
  chargeBack,
}) => {
  const days = [
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ];
  for (const day of days) {
    await pay(day, { paymentId: `pay_${day}`, booked: `pay_${day}` }).then(() => chargeBack(day, 'open'));
    // An hour past midnight in the Philippines.
    await sql`update chargebacks set created_at = ${`${day}T01:00:00+08:00`} where interaction_id = ${day}`;
  }
  await carryOver();
  const rows = await sql`select interaction_id as opened, due_on::text as last from chargebacks order by 1`;
  expect(rows).toEqual(days.map((opened) => ({ opened, last: evidenceDueOn(opened) })));
});

test('what was taken back of a request is of its own payment, also of one that was booked without an id', async ({
  old: { sql, pay, carryOver },
}) => {
  await pay('unnamed', { paymentId: null, booked: 'link-unnamed' });
  await pay('named', { paymentId: 'pay_1', booked: 'link-named' });
  await pay('twice', { paymentId: 'pay_2', booked: 'pay_2' });
  await sql`insert into captured_payments (id, interaction_id, amount_centavos) values ('pay_second', 'twice', 25000)`;
  for (const [paymentId, id] of [
    ['link-unnamed', 'unnamed'],
    ['link-named', 'named'],
    ['pay_second', 'twice'],
  ] as const)
    await sql`insert into chargebacks (id, payment_id, interaction_id, amount_centavos, state, evidence, decided_at)
      values (${`dsp_${id}`}, ${paymentId}, ${id}, 25000, 'lost', '{}', now())`;
  await carryOver();
  const rows =
    await sql`select interaction_id as id, taken_back_centavos::int as taken from interaction_money order by 1`;
  expect(rows).toEqual([
    { id: 'named', taken: 25000 },
    { id: 'twice', taken: 0 },
    { id: 'unnamed', taken: 25000 },
  ]);
});

test('orders that are under way keep key, amount and destination, and an old one counts as 20 hours old', async ({
  old: { sql, creator, pay, carryOver },
}) => {
  for (const [id, hours] of [
    ['young', 1],
    ['old', 30],
  ] as const) {
    await pay(id, { paymentId: `pay_${id}`, booked: `pay_${id}` });
    await sql`insert into payouts (id, interaction_id, recipient_id, amount_centavos, state)
      values (${id}, ${id}, ${creator.profileId}, 25000, 'sending')`;
    await sql`insert into payout_attempts (payout_id, attempt, idempotency_key, destination, created_at)
      values (${id}, 1, ${`key-${id}`}, '{"number":"09171234567"}', now() - make_interval(hours => ${hours}))`;
    await sql`insert into refunds (id, interaction_id, payment_id, amount_centavos, state, ordered_attempt, created_at)
      values (${id}, ${id}, ${`pay_${id}`}, 25000, 'sending', 1, now() - make_interval(hours => ${hours}))`;
  }
  await carryOver();
  const attempts = await sql`select key, number, amount_centavos::int as centavos, destination, state,
      extract(epoch from now() - sent_at)::float8 / 3600 as hours
    from attempts order by 1`;
  const sent = { number: 1, centavos: 25000, state: 'sent' };
  const destination = { number: '09171234567' };
  expect(attempts).toEqual([
    { ...sent, key: 'key-old', destination, hours: expect.closeTo(20, 1) },
    { ...sent, key: 'key-young', destination, hours: expect.closeTo(1, 1) },
    { ...sent, key: 'refund-old-1', destination: null, hours: expect.closeTo(20, 1) },
    { ...sent, key: 'refund-young-1', destination: null, hours: expect.closeTo(1, 1) },
  ]);
});

test('of two payouts that were recorded with one reference the first has it', async ({
  old: { sql, creator, pay, carryOver },
}) => {
  for (const [id, hours] of [
    ['one', 2],
    ['two', 1],
  ] as const) {
    await pay(id, { paymentId: `pay_${id}`, booked: `pay_${id}` });
    await sql`insert into payouts (id, interaction_id, recipient_id, amount_centavos, state, manual_reference, paid_at)
      values (${id}, ${id}, ${creator.profileId}, 25000, 'paid', 'BPI 1', now() - make_interval(hours => ${hours}))`;
  }
  await carryOver();
  const rows =
    await sql`select reference, disbursement_id, state, amount_centavos::int as amount from manual_transfers`;
  expect(rows).toEqual([{ reference: 'BPI 1', disbursement_id: 'one', state: 'booked', amount: 25000 }]);
});
