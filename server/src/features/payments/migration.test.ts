import { evidenceDueOn } from '@tara/paymongo';
import { expect } from 'vitest';
import { oldDatabaseTest } from '../../testing/features/old-database.ts';
import { testPlatform } from '../../testing/platform.ts';
import { recordChargeback } from './chargebacks.ts';
import { type Account, atRisk, chargedBack, escrow, fees, readBalance } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';

/** `chargeBack` stores a dispute of a request's payment that is open. */
const test = oldDatabaseTest('0271').extend(
  'chargeBack',
  ({ old: { sql, transfer } }) =>
    async (id: string) => {
      await sql`insert into chargebacks (id, payment_id, interaction_id, amount_centavos, from_escrow_centavos, evidence)
    values (${`dsp_${id}`}, ${`pay_${id}`}, ${id}, 25000, 25000, '{}')`;
      await transfer(`chargeback:dsp_${id}`, id, { [`escrow:${id}`]: 25000, [`disputed:${id}`]: -25000 });
      await sql`update interactions set frozen_at = now() where id = ${id}`;
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
  await carryOver();
  const ids = await sql`select id from captured_payments order by interaction_id`;
  expect(ids.map(({ id }) => id)).toEqual(['pay_1', 'link-unnamed', 'pay_2']);
  expect((await sql`select payment_id from disbursements where state = 'owed'`)[0]?.payment_id).toBe('pay_1');
  expect((await sql`select payment_id from chargebacks`)[0]?.payment_id).toBe('pay_1');
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

test('a chargeback that was open before is won or lost by the same amounts', async ({
  old: { database, pay, carryOver },
  chargeBack,
}) => {
  for (const id of ['won', 'lost'])
    await pay(id, { paymentId: `pay_${id}`, booked: `pay_${id}` }).then(() => chargeBack(id));
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
    await pay(day, { paymentId: `pay_${day}`, booked: `pay_${day}` }).then(() => chargeBack(day));
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

test('an order that is under way counts from when it was stored, and an old one as 20 hours old', async ({
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
  const attempts = await sql`
    select key, extract(epoch from now() - sent_at)::float8 / 3600 as hours from attempts order by 1`;
  expect(attempts).toEqual([
    { key: 'key-old', hours: expect.closeTo(20, 1) },
    { key: 'key-young', hours: expect.closeTo(1, 1) },
    { key: 'refund-old-1', hours: expect.closeTo(20, 1) },
    { key: 'refund-young-1', hours: expect.closeTo(1, 1) },
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
