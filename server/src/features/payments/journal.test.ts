import { nowDate } from '@tara/contract/clock';
import { timeZone } from '@tara/contract/limits';
import { expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { type PaymentFixture, paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { confirmPlan } from './confirm.ts';
import { journalLines, monthLines, trialBalanceLines, walletBalance } from './journal.ts';
import { atRisk, book, heldByProvider } from './ledger.ts';
import { settlement } from './settlement.ts';

const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowDate());
const range = { from: today, to: today };
const before = { from: '2020-01-01', to: '2020-12-31' };

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Books movements of a request at a moment: the kind of each, and its entries in centavos. */
async function enter(
  { sql }: PaymentFixture,
  { interactionId, at }: { interactionId: string; at: string },
  movements: readonly (readonly [kind: string, entries: Record<string, number>])[],
) {
  for (const [kind, entries] of movements)
    await sql`with booked as (
        insert into ledger_transfers (key, kind, interaction_id, created_at)
        values (${`${kind}:${at}`}, ${kind}, ${interactionId}, ${at}) returning id)
      insert into ledger_entries (transfer_id, account, owner, amount)
      select id, key, '', value::bigint from booked cross join jsonb_each_text(${JSON.stringify(entries)})`;
}

/** The cells of lines without quoted commas. */
const table = (lines: readonly string[]) =>
  lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
const sum = (rows: readonly string[][], column: number) =>
  rows.reduce((total, row) => total + Math.round(Number(row[column] || 0) * 100), 0);

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  /** A request that was paid out, one that was refunded, and one that is held. */
  .extend('lives', { scope: 'file' }, async ({ fixture, admin }) => {
    const requests = await openRequestFixture(fixture);
    const paidOut = await requests.fulfilled();
    await confirmPlan(fixture.platform, admin, paidOut);
    const refunded = await requests.paid();
    await requests.step(requests.creator, 'cancelRequest', refunded);
    const held = await requests.paid();
    await expect.poll(async () => (await requests.row(paidOut)).paidOutAt, waitFor).not.toBeNull();
    await expect.poll(async () => (await requests.row(refunded)).refundedAt, waitFor).not.toBeNull();
    return { paidOut, refunded, held, creatorId: requests.creator.profileId };
  });

test('the journal has every entry of the days, with as much debit as credit in each movement', async ({
  fixture,
  lives,
}) => {
  const lines = await all(journalLines(fixture.database, range));
  const [, ...rows] = table(lines);
  const movements = Map.groupBy(rows, ([id]) => id);
  expect(movements.size).toBe(6);
  for (const entries of movements.values()) {
    expect(sum(entries, 7)).toBeGreaterThan(0);
    expect(sum(entries, 7)).toBe(sum(entries, 8));
  }
  const of = (request: string) =>
    rows.filter((row) => row[3] === request).map(([, , kind, , , type, owner]) => `${kind} ${type} ${owner}`);
  expect(of(lives.held)).toEqual([
    ...['capture cash ', 'capture fees ', 'capture tax_withheld '],
    `capture escrow ${lives.held}`,
  ]);
  expect(of(lives.paidOut)).toEqual(
    expect.arrayContaining([`release payable ${lives.creatorId}`, `payout paid_out ${lives.creatorId}`]),
  );
  expect(await all(journalLines(fixture.database, range, 4))).toEqual(lines);
  expect(await all(journalLines(fixture.database, before))).toEqual(lines.slice(0, 1));
});

test('the trial balance carries what was before into the days, and its totals are equal', async ({
  fixture,
  lives,
}) => {
  const [, ...rows] = table(await trialBalanceLines(fixture.database, range));
  const total = rows.pop() ?? [];
  expect(total[0]).toBe('Total');
  expect(total[2]).toBe(total[3]);
  expect(total[2]).toBe((sum(rows, 2) / 100).toFixed(2));
  expect(total[4]).toBe('0.00');
  expect(rows.find(([type]) => type === 'escrow')).toEqual(['escrow', '0.00', '500.00', '750.00', '-250.00']);
  expect(lives.held).not.toBe('');
  const later = table(await trialBalanceLines(fixture.database, { from: '2999-01-01', to: '2999-12-31' }));
  expect(later.find(([type]) => type === 'escrow')).toEqual(['escrow', '-250.00', '0.00', '0.00', '-250.00']);
  expect(await trialBalanceLines(fixture.database, before)).toHaveLength(2);
});

test('a month has what Tara earned less what the provider took', async ({ fixture, lives }) => {
  const [, month] = table(await monthLines(fixture.database, range));
  const [fees] = await fixture.sql<{ payments: number }[]>`
    select sum(amount)::int as payments from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
    where account = 'fees' and kind = 'capture'`;
  expect(month).toEqual([
    today.slice(0, 7),
    '0.00',
    ((fees?.payments ?? 0) / 100).toFixed(2),
    '10.00',
    '0.00',
    '0.00',
    (-(fees?.payments ?? 0) / 100 - 10).toFixed(2),
  ]);
  expect(lives.paidOut).not.toBe('');
});

test('the settlement has the provider’s payments by the day they are available, and the wallet', async ({
  fixture,
  lives,
}) => {
  const ahead = { from: today, to: '2999-12-31' };
  const read = () => settlement(fixture.database, fixture.provider.client, ahead);
  const { lines, wallet } = await read();
  const [, ...rows] = table(lines);
  expect(rows.map(([, count]) => Number(count)).reduce((all, count) => all + count, 0)).toBe(3);
  expect(rows.every(([day = '']) => day > today)).toBe(true);
  expect(rows.map((row) => row[6])).toEqual(rows.map(() => '0.00'));
  expect(sum(rows, 2)).toBe(750_00);
  expect(sum(rows, 3)).toBe(750_00 - sum(rows, 4));
  const day = String(rows[0]?.[0]);
  const oneDay = await settlement(fixture.database, fixture.provider.client, { from: day, to: day });
  expect(table(oneDay.lines).slice(1)).toEqual(rows.slice(0, 1));
  // Each is available after two banking days.
  expect(wallet.pending).toBe(sum(rows, 5));
  expect(wallet.provider).toEqual(expect.any(Number));
  await fixture.sql`update captured_payments set fee_centavos = fee_centavos + 1
    where interaction_id = ${lives.held}`;
  expect(sum(table((await read()).lines).slice(1), 6)).toBe(1);
  expect((await settlement(fixture.database, fixture.provider.client, before)).lines).toHaveLength(1);
  const [paid] = await fixture.sql<{ id: string; net: number }[]>`
    select id, (amount_centavos - fee_centavos)::int as net from captured_payments where interaction_id = ${lives.refunded}`;
  await fixture.provider.control(`/payments/${paid?.id}/age`, { days: 10 });
  // Less the centavo of the other one.
  expect((await read()).wallet.pending).toBe(wallet.pending - 1 - (paid?.net ?? 0));
});

test('a month has the earnings, the fees of payments, transfers and chargebacks, and the losses of its days alone', async ({
  fixture,
  lives,
}) => {
  await enter(fixture, { interactionId: lives.held, at: '2021-03-01T00:00:00+08:00' }, [
    ['release', { platform_fee: -50_00, cash: 50_00 }],
  ]);
  await enter(fixture, { interactionId: lives.held, at: '2021-03-31T23:59:59.999+08:00' }, [
    ['capture', { fees: 7_00, cash: -7_00 }],
    ['payout', { fees: 10_00, cash: -10_00 }],
    ['refund', { fees: 1_00, cash: -1_00 }],
    ['chargeback_lost', { fees: 800_00, losses: 25_00, cash: -825_00 }],
  ]);
  for (const at of ['2021-02-28T23:59:59.999+08:00', '2021-04-01T00:00:00+08:00'])
    await enter(fixture, { interactionId: lives.held, at }, [
      ['release', { platform_fee: -1_00, cash: 1_00 }],
    ]);
  const march = { from: '2021-03-01', to: '2021-03-31' };
  expect(table(await monthLines(fixture.database, march)).slice(1)).toEqual([
    ['2021-03', '50.00', '7.00', '11.00', '800.00', '25.00', '-793.00'],
  ]);
  const balances = table(await trialBalanceLines(fixture.database, march));
  expect(balances.find(([type]) => type === 'platform_fee')).toEqual([
    ...['platform_fee', '-1.00', '0.00', '50.00', '-51.00'],
  ]);
  expect(balances.find(([type]) => type === 'cash')).toEqual(['cash', '1.00', '50.00', '843.00', '-792.00']);
});

test('the wallet of the ledger is less by what the provider holds for a dispute', async ({
  fixture,
  lives,
}) => {
  const before = await walletBalance(fixture.database);
  await fixture.database.transaction((transaction) =>
    book(transaction, {
      ...{ kind: 'chargeback', interactionId: lives.held, paymentId: null, of: 'dsp_1' },
      entries: [
        [heldByProvider(lives.held), -1_050_00],
        [atRisk, 1_050_00],
      ],
    }),
  );
  expect(await walletBalance(fixture.database)).toBe(before - 1_050_00);
});
