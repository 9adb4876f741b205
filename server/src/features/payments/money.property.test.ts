import { inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { listDisbursements } from '../../testing/features/disbursements.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { goodEnd, type Happening, happenings, live, type Outcome } from '../../testing/features/schedule.ts';
import { interactions } from '../interactions/index.ts';
import { heldFor } from './ledger.ts';

const test = paymentTest
  .extend('admins', { scope: 'file' }, ({ fixture }) =>
    Promise.all([1, 2].map(() => insertMember(fixture.database, { admin: true }))),
  )
  .extend(
    'readRows',
    { scope: 'file' },
    ({ fixture }) =>
      (outcomes: Outcome[]) =>
        fixture.database
          .select()
          .from(interactions)
          .where(
            inArray(
              interactions.id,
              outcomes.map(({ id }) => id),
            ),
          ),
  )
  /** Waits until the reconciler and the jobs brought everything to its end. */
  .extend(
    'settled',
    { scope: 'file' },
    ({ fixture, readRows }) =>
      async (outcomes: Outcome[]): Promise<void> => {
        const charged = new Set(outcomes.flatMap(({ id, charged }) => (charged ? [id] : [])));
        const open = async () => {
          await fixture.reconcile();
          const rows = await readRows(outcomes);
          return rows.filter(
            (row) =>
              (charged.has(row.id) && !row.paidAt) ||
              (row.completedAt && !row.paidOutAt) ||
              (row.cancelledAt && row.paidAt && !row.refundedAt),
          ).length;
        };
        await expect.poll(open, { timeout: 90_000, interval: 150 }).toBe(0);
      },
  )
  .extend(
    'check',
    { scope: 'file' },
    ({ fixture }) =>
      async ({ id, price, charged, statuses }: Outcome): Promise<void> => {
        const { links, transfers, payments } = fixture.provider.client;
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        // Of two admins at once, and of two requests at once, one had its way.
        expect(statuses.slice(0, 2).sort()).toEqual([200, 409]);
        const [row] = await fixture.database
          .select()
          .from(interactions)
          .where(inArray(interactions.id, [id]));
        if (!row) throw new Error(`no request ${id}`);
        const booked = await fixture.sql<{ kind: string; times: number }[]>`
    select kind, count(*) as times from ledger_transfers where interaction_id = ${id} group by kind order by kind`;
        const expected = [
          ...(charged ? ['capture'] : []),
          ...(row.completedAt ? ['payout'] : []),
          ...(charged && row.cancelledAt ? ['refund'] : []),
          ...(row.completedAt ? ['release'] : []),
        ];
        expect(booked.map(({ kind, times }) => [kind, times])).toEqual(expected.map((kind) => [kind, 1]));
        const over = row.completedAt !== null || row.cancelledAt !== null;
        expect(await heldFor(fixture.database, id)).toBe(charged && !over ? price : 0);
        // What the provider says happened is what the ledger says.
        const link = row.linkId === null ? null : await links.get(row.linkId);
        expect(link?.payments ?? []).toHaveLength(charged ? 1 : 0);
        const out = await listDisbursements(fixture.database, id);
        const payout = out.find(({ purpose }) => purpose === 'payout');
        const sent = payout ? await transfers.findByReference(payout.id) : [];
        expect(sent.map(({ status, amount }) => [status, amount])).toEqual(
          row.completedAt ? [['succeeded', price]] : [],
        );
        if (row.paymentId === null) return;
        const { attributes: payment } = await payments.get(row.paymentId);
        const [capture] = await fixture.sql<{ fee: number }[]>`
    select sum(amount)::int as fee from ledger_entries join ledger_transfers on id = transfer_id
    where kind = 'capture' and interaction_id = ${id} and account in ('fees', 'tax_withheld')`;
        expect(capture?.fee).toBe(payment.amount - (payment.net_amount ?? 0));
        const refunds = payment.refunds ?? [];
        expect(refunds.map(({ attributes }) => attributes.amount)).toEqual(row.cancelledAt ? [price] : []);
      },
  )
  .extend('checkLedger', { scope: 'file' }, ({ fixture }) => async (): Promise<void> => {
    const [ledger] = await fixture.sql<{ unbalanced: number; owed: number }[]>`
    select
      (select count(*) from (select 1 from ledger_entries group by transfer_id having sum(amount) <> 0) as wrong)
        as unbalanced,
      (select coalesce(sum(amount), 0)::bigint from ledger_entries where account = 'payable') as owed`;
    expect(ledger).toEqual({ unbalanced: 0, owed: 0 });
  });

/** Schedules that live at the same time, and how often that; `npm run test:long` sets more. */
const concurrency = 25;
const batches = Number(process.env.MONEY_BATCHES ?? 8);

const schedules: fc.Arbitrary<readonly Happening[]> = fc
  .tuple(fc.array(fc.constantFrom(...happenings), { maxLength: 6 }), fc.boolean())
  .map(([random, ends]) => (ends ? [...random, ...goodEnd] : random));

/** What goes wrong at the provider meanwhile. */
const faults = fc.uniqueArray(
  fc.constantFrom(
    { kind: 'lose_answer', path: '/v1/links', method: 'POST', times: 3 },
    { kind: 'lose_answer', path: '/v2/batch_transfers', times: 4 },
    { kind: 'lose_answer', path: '/v1/refunds', times: 2 },
    { kind: 'answer_500', path: '/v1/links', times: 5 },
    { kind: 'answer_500', path: '/v2/', times: 5 },
    { kind: 'hang', path: '/v2/batch_transfers', times: 2, delay_ms: 100 },
    { kind: 'drop_deliveries', times: 8 },
    { kind: 'duplicate_deliveries', times: 20 },
    { kind: 'reorder_deliveries', times: 8, delay_ms: 50 },
  ),
  { maxLength: 5 },
);

test(
  'keeps every centavo in 200 random lives of requests (payment invariants 1–5, threat-lost-centavos, threat-provider-failures)',
  async ({ fixture, admins, settled, check, checkLedger }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(schedules, { minLength: concurrency, maxLength: concurrency }),
        faults,
        async (lives, troubles) => {
          for (const fault of troubles) await fixture.provider.fault(fault);
          const outcomes = await Promise.all(lives.map((schedule) => live(fixture, admins, schedule)));
          await fixture.provider.clearFaults();
          await settled(outcomes);
          await Promise.all(outcomes.map(check));
          await checkLedger();
        },
      ),
      { numRuns: batches, endOnFailure: true },
    );
  },
  batches * 15_000,
);
