import { nowDate } from '@tara/contract/clock';
import { timeZone } from '@tara/contract/limits';
import { expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
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
  expect(of(lives.held)).toEqual(['capture cash ', 'capture fees ', `capture escrow ${lives.held}`]);
  expect(of(lives.paidOut)).toEqual(
    expect.arrayContaining([`release payable ${lives.creatorId}`, `payout paid_out ${lives.creatorId}`]),
  );
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
    select sum(fee_centavos)::int as payments from captured_payments`;
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
  // Each is available after two banking days.
  expect(wallet.pending).toBe(sum(rows, 5));
  expect(wallet.provider).toEqual(expect.any(Number));
  await fixture.sql`update captured_payments set fee_centavos = fee_centavos + 1
    where interaction_id = ${lives.held}`;
  expect(sum(table((await read()).lines).slice(1), 6)).toBe(1);
  expect((await settlement(fixture.database, fixture.provider.client, before)).lines).toHaveLength(1);
});

test('the wallet of the ledger is less by what the provider holds for a dispute', async ({
  fixture,
  lives,
}) => {
  const before = await walletBalance(fixture.database);
  const entries = { [heldByProvider(lives.held)]: -1_050_00, [atRisk]: 1_050_00 };
  await fixture.database.transaction((transaction) =>
    book(transaction, { kind: 'chargeback', interactionId: lives.held, of: 'dsp_1', entries }),
  );
  expect(await walletBalance(fixture.database)).toBe(before - 1_050_00);
});
