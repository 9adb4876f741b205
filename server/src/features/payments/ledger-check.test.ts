import { nowDate, nowMs } from '@tara/contract/clock';
import { adminMoney } from '@tara/contract/money/admin-money';
import { payments } from '@tara/contract/money/payments';
import { type PageQuery, type Paymongo, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { makeLives, makeSplit } from '../../testing/features/money-lives.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { confirmPlan } from './confirm.ts';
import { checkLedger, lastLedgerCheck, proveLedger, recordLedgerCheck } from './ledger-check.ts';
import { compareWithProvider } from './ledger-provider.ts';
import { compareWallet } from './ledger-wallet.ts';
import { exportStatement } from './statement.ts';
import { unassignedDisputes } from './tables.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend(
    'differences',
    { scope: 'file' },
    ({ fixture }) =>
      async () =>
        (await checkLedger(fixture.context, { settleSeconds: 0 })).differences,
  )
  /** A request each that is held, paid out, and refunded, at rest. */
  .extend(
    'lives',
    ({ fixture, admin, requests }) =>
      () =>
        makeLives(fixture, admin, requests),
  )
  /** The same, one that is split, and one whose payment the card issuer disputes: for what is undone. */
  .extend('world', { scope: 'file' }, async ({ fixture, admin }) => {
    const requests = await openRequestFixture(fixture);
    await makeLives(fixture, admin, requests);
    await makeSplit(fixture, admin, requests);
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    await fixture.provider.control(`/payments/${paymentId}/dispute`, {});
    await expect.poll(async () => (await requests.row(id)).frozenAt, waitFor).not.toBeNull();
  });

/** A chargeback that was not booked. */
const unbooked = (state: 'open' | 'lost') => sql`
  insert into chargebacks (id, payment_id, interaction_id, amount_centavos, state, evidence, due_on, decided_at)
  select 'dsp_unbooked', id, interaction_id, 100, ${state}::text, '{}', now()::date, case when ${state}::text = 'lost' then now() end
  from captured_payments limit 1`;

/** A transfer by hand of which nothing was booked. */
const byHand = (state: 'booked' | 'lost' | 'refused') => sql`
  insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem)
  select 'GC-unbooked', id, interaction_id, 100, ${state}::text, case when ${state}::text <> 'booked' then 'It was refunded.' end
  from disbursements limit 1`;

/** A further movement of one centavo from an account to what was lost, for a request that was refunded. */
const additional = (kind: string, account: string) => sql`
  with transfer as (
    insert into ledger_transfers (key, kind, interaction_id, payment_id)
    select 'additional', ${kind}::text, interaction_id, payment_id from disbursements where purpose = 'refund' and way = 'provider' limit 1
    returning id, interaction_id)
  insert into ledger_entries (transfer_id, account, owner, amount)
  select id, account, case account when 'escrow' then interaction_id else '' end, amount
  from transfer cross join (values (${account}::text, 1), ('losses', -1)) as entries (account, amount)`;

describe('the check of the ledger', () => {
  test('finds that it adds up, and agrees with the provider’s lists; the nightly one is stored', async ({
    fixture,
    admin,
    lives,
    differences,
  }) => {
    await lives();
    expect(await differences()).toEqual([]);
    await recordLedgerCheck(fixture.context, { settleSeconds: 0 });
    const { reply } = await fixture.server.call(admin, adminMoney.ledgerCheck);
    expect(reply.check).toMatchObject({ differences: [] });
    expect(await lastLedgerCheck(fixture.database)).toMatchObject({
      differences: [],
      counts: {
        payments: 3,
        disbursements: 2,
        providerPayments: 3,
        providerRefunds: 1,
        providerTransfers: 1,
      },
    });
  });

  test('a statement names every movement of a member with its balance, and nobody else’s', async ({
    fixture,
    requests,
    lives,
  }) => {
    const { paidOut, refunded, held } = await lives();
    const read = async (who: Member) =>
      (await fixture.server.call(who, payments.statement, { query: {} })).reply.items;
    const cursor = Buffer.from('1.none').toString('base64url');
    const { problem } = await fixture.server.call(requests.client, payments.statement, { query: { cursor } });
    expect(problem.type).toBe('general_cursor_not_found');
    const client = await read(requests.client);
    expect(client.map(({ amount }) => amount).sort()).toEqual([-250, -250, 250, 250, 250]);
    expect(client[0]?.balance).toBe(250);
    expect(client.filter(({ interactionId }) => interactionId === held)).toMatchObject([
      { kind: 'capture', amount: 250 },
    ]);
    expect(client.filter(({ interactionId }) => interactionId === refunded)).toMatchObject([
      { kind: 'refund', amount: -250, planTitle: 'Coffee in Makati' },
      { kind: 'capture', amount: 250 },
    ]);
    expect(await read(requests.creator)).toMatchObject([
      { kind: 'payout', interactionId: paidOut, amount: -250, balance: 0 },
      { kind: 'release', interactionId: paidOut, amount: 250, balance: 250 },
    ]);
    expect(await exportStatement(fixture.database, requests.creator.profileId)).toMatchObject([
      { kind: 'release', amount_centavos: 250_00, balance_centavos: 250_00 },
      { kind: 'payout', amount_centavos: -250_00, balance_centavos: 0 },
    ]);
    expect(await read(await insertMember(fixture.database))).toEqual([]);
  });

  test.for([
    [
      'a fee that is not the provider’s',
      sql`update captured_payments set fee_centavos = fee_centavos + 1`,
      'the fee of a payment is the provider’s',
    ],
    [
      'a payment that the provider does not know',
      sql`insert into captured_payments (id, interaction_id, amount_centavos)
      select 'pay_nobody', id, 100 from interactions limit 1`,
      'a captured payment is the provider’s',
    ],
    [
      'a refund that was not booked',
      sql`update attempts set state = 'sent', ended_at = null where way = 'provider'`,
      'a refund of the provider is booked',
    ],
    [
      'a payment that was not booked',
      sql`delete from captured_payments`,
      'a payment of the provider is captured',
    ],
    [
      'a payment of another amount',
      sql`update captured_payments set amount_centavos = amount_centavos + 1`,
      'a payment has one amount',
    ],
    [
      'a refund of another amount',
      sql`update attempts set amount_centavos = amount_centavos + 1`,
      'a refund has one amount',
    ],
    [
      'a refund that did not arrive',
      sql`update attempts set reference = 'ref_none' where way = 'provider'`,
      'a refund that arrived is the provider’s',
    ],
    [
      'a transfer that was not booked',
      sql`update attempts set state = 'sent', ended_at = null, reference = null`,
      'a transfer of the provider is booked',
    ],
    [
      'a fee of a payout that is not the provider’s',
      sql`update ledger_entries set amount = amount + 1 where account = 'fees'`,
      'the fee of a payout is the provider’s',
    ],
    [
      'a payout that did not arrive',
      sql`update attempts set reference = 'tr_none'`,
      'a payout that arrived is the provider’s',
    ],
    [
      'a payout of another amount',
      sql`update attempts set amount_centavos = amount_centavos - 1`,
      'a payout has one amount',
    ],
    [
      'a dispute of another amount',
      sql`update chargebacks set amount_centavos = amount_centavos + 1`,
      'a dispute has one amount',
    ],
    [
      'a tax that is not the provider’s',
      sql`update ledger_entries set amount = amount + case account when 'fees' then 1 else -1 end
      where account in ('fees', 'tax_withheld')`,
      'the booked tax of a payment is the provider’s',
    ],
    [
      'a dispute that is booked for another payment',
      sql`update chargebacks set payment_id =
        (select id from captured_payments where captured_payments.id <> chargebacks.payment_id limit 1)`,
      'a dispute is about the payment that the provider names',
    ],
    [
      'a dispute that waits for its payment, which the provider names',
      sql`with moved as (delete from chargebacks returning id, amount_centavos)
        insert into unassigned_disputes (id, amount_centavos, disputed_at) select id, amount_centavos, now() from moved`,
      'a dispute is about the payment that the provider names',
    ],
    ['a dispute that is not known', sql`delete from chargebacks`, 'a dispute of the provider is known'],
    [
      'a dispute that ended otherwise',
      sql`update chargebacks set state = 'won', decided_at = now()`,
      'a dispute ended as at the provider',
    ],
    [
      'a chargeback that the provider does not know',
      sql`update chargebacks set id = 'dsp_none' where id in (select id from chargebacks limit 1)`,
      'a chargeback is the provider’s',
    ],
    [
      'a payout of which another transfer arrived',
      sql`update attempts set way = 'hand', key = null, reference = 'GC-1' where way = 'transfer'`,
      'a payout is sent once',
    ],
  ] as const)('names %s', async ([_name, damage, rule], { fixture, world: _ }) => {
    const undo = new Error('undo');
    const work = fixture.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local session_replication_role = replica`);
      await transaction.execute(damage);
      // A transaction reads like the database.
      const context = { ...fixture.context, database: transaction as never };
      const report = await checkLedger(context, { settleSeconds: 0 });
      expect(report.differences.map((difference) => difference.rule)).toContain(rule);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });

  test.for([
    [
      'payments',
      sql`delete from captured_payments where id in (select payment_id from disbursements where way = 'provider')`,
    ],
    ['refunds and transfers', sql`update attempts set state = 'sent', ended_at = null, reference = null`],
    ['disputes', sql`delete from chargebacks`],
  ] as const)(
    'leaves out %s of the last ten minutes, which may be booked still',
    async ([_name, damage], { fixture, world: _ }) => {
      const undo = new Error('undo');
      const work = fixture.database.transaction(async (transaction) => {
        await transaction.execute(sql`set local session_replication_role = replica`);
        await transaction.execute(damage);
        const context = { ...fixture.context, database: transaction as never };
        expect((await compareWithProvider(context)).differences).toEqual([]);
        throw undo;
      });
      await expect(work).rejects.toBe(undo);
    },
  );

  test('asks the provider for what its lists do not have', async ({ fixture, world: _ }) => {
    const { client } = fixture.provider;
    const list = async () => ({ items: [], hasMore: false });
    const provider = {
      ...client,
      payments: { ...client.payments, list },
      refunds: { ...client.refunds, list },
      transfers: { ...client.transfers, list },
      disputes: { ...client.disputes, list },
    };
    expect((await compareWithProvider({ ...fixture.context, provider })).differences).toEqual([]);
  });

  test.for([
    ['a transfer sums to zero', sql`delete from ledger_entries where account = 'cash'`],
    ['what was captured is booked', sql`delete from captured_payments`],
    ['what was released is booked', sql`update interactions set released_centavos = 0`],
    ['what was refunded is booked', sql`update attempts set state = 'sent', ended_at = null`],
    ['what was paid out is booked', sql`update attempts set amount_centavos = amount_centavos + 1`],
    ['what waits to be sent is owed', sql`update disbursements set state = 'owed', arrived_at = null`],
    ['what is sent or arrived has an attempt', sql`update attempts set state = 'lost'`],
    [
      'what was released is owed to the creator',
      sql`update disbursements set amount_centavos = amount_centavos + 1 where purpose = 'payout'`,
    ],
    [
      'what goes back to the client is what was decided',
      sql`update disbursements set amount_centavos = amount_centavos + 1 where purpose = 'refund'`,
    ],
    ['what is paid out is owed until then', sql`update attempts set state = 'sent', ended_at = null`],
    [
      'what goes back to the client is held until then',
      sql`update attempts set state = 'sent', ended_at = null`,
    ],
    [
      'no more leaves than is held for the request',
      sql`update ledger_entries set amount = amount + 1 where account = 'escrow' and amount > 0`,
    ],
    [
      'no more leaves than is owed to the creator',
      sql`update ledger_entries set amount = amount + 1 where account = 'payable' and amount > 0`,
    ],
    [
      'nothing is held for a request that is over',
      sql`update interactions set cancelled_at = now(), cancel_reason = 'declined' where completed_at is null and cancelled_at is null`,
    ],
    [
      'what is owed to a creator waits to be paid out',
      sql`update ledger_entries set amount = amount - 1 where account = 'payable' and amount < 0`,
    ],
    [
      'refunded and released are at most what was captured',
      sql`update ledger_entries set amount = 2 * amount where account = 'escrow' and amount > 0`,
    ],
    [
      'paid out and the platform fee are at most what was released',
      sql`update ledger_entries set amount = 2 * amount where account = 'paid_out'`,
    ],
    [
      'what was captured is booked with its fee',
      sql`update captured_payments set fee_centavos = fee_centavos + 1`,
    ],
    ['each payment is of the price', sql`update interactions set price_centavos = price_centavos + 1`],
    ['what was paid out by hand is booked', sql`update attempts set way = 'hand', key = null`],
    [
      'what is owed for a request is its creator’s',
      sql`update ledger_entries set owner = 'nobody' where account = 'payable'`,
    ],
    [
      'what is at risk is the part of open disputes that had left',
      sql`update chargebacks set from_escrow_centavos = from_escrow_centavos - 1`,
    ],
    [
      'what disputes took of what was held is booked',
      sql`update chargebacks set from_escrow_centavos = from_escrow_centavos - 1`,
    ],
    [
      'what disputes took of what was owed is booked',
      sql`update chargebacks set from_escrow_centavos = from_escrow_centavos - 1, from_payable_centavos = from_payable_centavos + 1`,
    ],
    [
      'what disputes took of Tara’s own, with their fees, is booked',
      sql`update chargebacks set fee_centavos = fee_centavos + 1`,
    ],
    [
      'the fees of what card issuers took back are booked',
      sql`update chargebacks set state = 'lost', decided_at = now()`,
    ],
    [
      'what was held or owed makes up for no more than what was lost of Tara’s own',
      additional('chargeback_lost', 'escrow'),
    ],
    ['the fees of what card issuers took back left the wallet', additional('chargeback_lost', 'cash')],
    ['what was sent without a transfer has no fee', additional('refund', 'fees')],
    ['what was lost by hand is booked', byHand('lost')],
    ['what was sent by hand is what its reference says', byHand('booked')],
    ['what was refused by hand is what the admin named', byHand('refused')],
    [
      'what an admin decided goes back to the client',
      sql`update request_decisions set refund_centavos = refund_centavos + 1`,
    ],
    ['a request that was paid has its payment', sql`delete from captured_payments`],
    [
      'what is sent is what was decided, less what card issuers took',
      sql`update attempts set amount_centavos = amount_centavos - 1`,
    ],
    ['what was sent takes nothing from the wallet beside its amount and fee', additional('refund', 'cash')],
    [
      'what disputes took of what was held came back with those that were won',
      sql`update chargebacks set state = 'won', decided_at = now()`,
    ],
    [
      'what disputes took of what was owed came back with those that were won',
      sql`update chargebacks set state = 'won', decided_at = now(), from_escrow_centavos = from_escrow_centavos - 1,
        from_payable_centavos = 1`,
    ],
    ['what card issuers took back is booked', unbooked('lost')],
    ['what the provider holds for card issuers is what their open disputes are about', unbooked('open')],
  ] as const)('proves by itself that %s', async ([rule, damage], { fixture, world: _ }) => {
    const undo = new Error('undo');
    const work = fixture.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local session_replication_role = replica`);
      await transaction.execute(damage);
      const report = await proveLedger(transaction as never);
      expect(report.differences.map((difference) => difference.rule)).toContain(rule);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });

  test('names at night also what was lost by hand and not booked, of a request of which nothing else moved', async ({
    fixture,
    world: _,
  }) => {
    const undo = new Error('undo');
    const work = fixture.database.transaction(async (transaction) => {
      await transaction.execute(byHand('lost'));
      const since = new Date(nowMs() + 1000);
      const { differences } = await proveLedger(transaction as never, { since });
      expect(differences.map(({ rule }) => rule)).toEqual(['what was lost by hand is booked']);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });

  test('names what has not succeeded by the lists of the provider', async ({ fixture, world: _ }) => {
    const { payments, refunds, transfers, ...client } = fixture.provider.client;
    const failed = <Item extends { attributes: object }>(item: Item) => ({
      ...item,
      attributes: { ...item.attributes, status: 'failed' },
    });
    const change =
      <Query, Item>(
        list: (query: Query) => Promise<{ items: Item[]; hasMore: boolean }>,
        toChanged: (item: Item) => Item,
      ) =>
      async (query: Query) => {
        const page = await list(query);
        return { ...page, items: page.items.map(toChanged) };
      };
    const provider = {
      ...client,
      payments: { ...payments, list: change(payments.list, failed) },
      refunds: { ...refunds, list: change(refunds.list, failed) },
      transfers: { ...transfers, list: change(transfers.list, (item) => ({ ...item, status: 'failed' })) },
    };
    const { differences } = await checkLedger({ ...fixture.context, provider }, { settleSeconds: 0 });
    expect([...new Set(differences.map(({ rule }) => rule))]).toEqual([
      'a captured payment is paid',
      'a refund that arrived is the provider’s',
      'a payout that arrived is the provider’s',
    ]);
  });

  test('has no false alarm of a split whose refund went by a transfer, nor of an open chargeback', async ({
    world: _,
    differences,
  }) => {
    expect(await differences()).toEqual([]);
  });

  test('at night proves what is open or moved since the last check, and everything after a difference and after a month', async ({
    fixture,
    lives,
  }) => {
    const { paidOut, held } = await lives();
    const check = () => recordLedgerCheck(fixture.context, { settleSeconds: 0 });
    const isFull = async () => (await lastLedgerCheck(fixture.database))?.isFull;
    await fixture.sql`delete from ledger_checks`;
    await check();
    expect(await isFull()).toBe(true);
    await check();
    expect(await isFull()).toBe(false);
    /** Changes records that triggers keep from it. */
    const force = (statements: SQL[]) =>
      fixture.database.transaction(async (transaction) => {
        await transaction.execute(sql`set local session_replication_role = replica`);
        for (const statement of statements) await transaction.execute(statement);
      });
    const raisePrice = (id: string, by: number) =>
      sql`update interactions set price_centavos = price_centavos + ${by} where id = ${id}`;
    // Two days ago the one was over, and the other is still held.
    await force([
      sql`update disbursements set created_at = created_at - interval '2 days', updated_at = updated_at - interval '2 days'`,
      sql`update ledger_transfers set created_at = created_at - interval '2 days'`,
      sql`update captured_payments set paid_at = paid_at - interval '2 days'`,
      sql`update interactions set updated_at = updated_at - interval '2 days'`,
      raisePrice(paidOut, 1),
    ]);
    expect((await check()).differences).toEqual([]);
    await force([raisePrice(held, 1)]);
    expect((await check()).differences).toMatchObject([{ subject: held }]);
    // After a difference all is proved.
    expect((await check()).differences.map(({ subject }) => subject).sort()).toEqual([held, paidOut].sort());
    await force([raisePrice(held, -1), raisePrice(paidOut, -1)]);
    await check();
    await check();
    expect(await isFull()).toBe(false);
    await fixture.sql`update ledger_checks set checked_at = checked_at - interval '1 month' where is_full`;
    await check();
    expect(await isFull()).toBe(true);
  });

  test('reads the provider’s lists to the days that it compares alone', async ({ fixture, lives }) => {
    await lives();
    const { client } = fixture.provider;
    const first: PageQuery[] = [];
    /** A list of very many, of which the newest are the sandbox's. */
    const endless: Paymongo['payments']['list'] = async (query = {}) => {
      first.push(query);
      const page = await client.payments.list({
        ...query,
        ...(query.after?.startsWith('old') && { after: undefined }),
      });
      const [sample] = page.items;
      const old = Array.from({ length: 100 }, (_, index) => ({
        id: `old_${first.length}_${index}`,
        type: 'payment',
        attributes: {
          ...(sample?.attributes ?? { amount: 1, currency: 'PHP', status: 'failed' }),
          created_at: 1,
          status: 'failed',
        },
      }));
      return { items: query.after ? old : [...page.items, ...old], hasMore: true };
    };
    const provider = { ...client, payments: { ...client.payments, list: endless } };
    const since = new Date(nowMs() - 3_600_000);
    const report = await checkLedger({ ...fixture.context, provider }, { settleSeconds: 0, since });
    expect(report.differences).toEqual([]);
    expect(first.length).toBeLessThan(5);
  });

  const [refused, tooMany] = [403, 429].map(
    (status) => new PaymongoError(status, [{ code: 'refused' }], {}, status === 429 ? 7000 : null),
  );
  test.for([
    ['payments', ['the payments of the provider', 'the wallet']],
    ['refunds', ['the refunds of the provider']],
    ['transfers', ['the transfers of the provider']],
    ['disputes', []],
    ['wallets', []],
  ] as const)(
    'of a provider that refuses its %s names what could not be checked, and waits after a 429',
    async ([list, subjects], { fixture }) => {
      const check = (error?: Error) => {
        const { client } = fixture.provider;
        const refuse = async () => {
          throw error;
        };
        const provider = { ...client, [list]: { ...client[list], list: refuse } };
        return checkLedger({ ...fixture.context, provider }, { settleSeconds: 0 });
      };
      const { differences } = await check(refused);
      const unchecked = differences.filter(({ rule }) => rule === 'the ledger can be checked');
      expect(unchecked.map(({ subject }) => subject)).toEqual(subjects);
      await expect(check(tooMany)).rejects.toBe(tooMany);
    },
  );

  const unreadable = new PaymongoUnreachable('unreadable', 'GET /v2/transfers');
  test.for([
    ['is refused', refused],
    ['cannot be read', unreadable],
  ] as const)(
    'at night compares every list but the one that %s, and its pages before that, and stores what differs',
    async ([_name, failure], { fixture, requests, lives }) => {
      const { held } = await lives();
      const { client } = fixture.provider;
      const { paymentId } = await requests.row(held);
      const payment = await client.payments.get(paymentId ?? '');
      const [transfer] = (await client.transfers.list()).items;
      if (!transfer) throw new Error('nothing was paid out');
      const provider: Paymongo = {
        ...client,
        payments: {
          ...client.payments,
          list: async (query) => {
            const page = await client.payments.list(query);
            return { ...page, items: [{ ...payment, id: 'pay_planted' }, ...page.items] };
          },
        },
        transfers: {
          ...client.transfers,
          list: async ({ after } = {}) => {
            if (after !== undefined) throw failure;
            return { items: [{ ...transfer, id: 'tr_planted' }], hasMore: true };
          },
        },
        disputes: {
          ...client.disputes,
          list: async () => ({
            items: [{ id: 'dsp_planted', type: 'dispute', attributes: { amount: 1, status: 'won' } }],
            hasMore: false,
          }),
        },
      };
      await fixture.sql`delete from ledger_checks`;
      await recordLedgerCheck({ ...fixture.context, provider }, { settleSeconds: 0 });
      const check = await lastLedgerCheck(fixture.database);
      await fixture.sql`delete from ledger_checks`;
      expect(check?.differences).toMatchObject([
        { rule: 'a payment of the provider is captured', subject: 'pay_planted' },
        { rule: 'a payout is sent once', subject: 'tr_planted' },
        { rule: 'the ledger can be checked', subject: 'the transfers of the provider' },
        { rule: 'a dispute of the provider is known', subject: 'dsp_planted' },
      ]);
    },
  );

  test('does without the transfers of an account without Money Movement, where payouts are sent by hand', async ({
    fixture,
  }) => {
    const { client } = fixture.provider;
    const list = async () => {
      throw refused;
    };
    const provider = { ...client, transfers: { ...client.transfers, list } };
    const config = { ...fixture.context.config, payouts: 'manual' as const };
    const { counts, differences } = await checkLedger(
      { ...fixture.context, provider, config },
      { settleSeconds: 0 },
    );
    expect(differences).toEqual([]);
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(['providerRefunds', 'providerDisputes']));
    expect(counts).not.toHaveProperty('providerTransfers');
  });

  test('is done again as a whole when the provider is not reached', async ({ fixture }) => {
    const lost = new PaymongoUnreachable('network', 'GET /v1/refunds');
    const { client } = fixture.provider;
    const list = async () => {
      throw lost;
    };
    const provider = { ...client, refunds: { ...client.refunds, list } };
    await expect(checkLedger({ ...fixture.context, provider })).rejects.toBe(lost);
  });

  test('compares what moved in the wallet with the ledger, whatever Tara has in it besides', async ({
    fixture,
    admin,
    requests,
    lives,
  }) => {
    await lives();
    const check = () => recordLedgerCheck(fixture.context, { settleSeconds: 0 });
    const setOpening = (centavos: number) =>
      fixture.provider.control('/settings', { opening_balance: centavos });
    await setOpening(1_000_000);
    await fixture.sql`delete from ledger_checks`;
    expect((await check()).differences).toEqual([]);
    await lives();
    expect((await check()).differences).toEqual([]);
    await setOpening(1_000_001);
    expect((await check()).differences).toMatchObject([
      { subject: 'wallet', text: expect.stringContaining('₱0.01 more') },
    ]);
    // It is named once.
    expect((await check()).differences).toEqual([]);
    // What the provider holds for a dispute whose payment is not known is Tara’s still.
    await fixture.database
      .insert(unassignedDisputes)
      .values({ id: 'dsp_unassigned', amountCentavos: 1_00, disputedAt: nowDate() });
    await setOpening(1_000_001 - 1_00 - fixture.context.config.chargebackFeeCentavos);
    expect((await check()).differences).toEqual([]);
    await fixture.database.delete(unassignedDisputes);
    await setOpening(1_000_001);
    // The provider holds an open dispute with its fee, and the ledger has both.
    const disputed = await requests.paid();
    const { paymentId } = await requests.row(disputed);
    await fixture.provider.control(`/payments/${paymentId}/dispute`, {});
    await expect.poll(async () => (await requests.row(disputed)).frozenAt, waitFor).not.toBeNull();
    expect((await check()).differences).toEqual([]);
    // A payout that is on its way has left the wallet, and not the ledger.
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    const id = await requests.fulfilled();
    await confirmPlan(fixture.platform, admin, id);
    const sent = async () =>
      fixture.provider.client.transfers.findByReference((await requests.outgoing(id, 'payout'))?.id ?? '');
    await expect.poll(sent, waitFor).toHaveLength(1);
    const { differences } = await check();
    expect(differences.filter(({ subject }) => subject === 'wallet')).toEqual([]);
    await fixture.provider.clearFaults();
    await fixture.sql`update disbursements set updated_at = now() - interval '2 hours' where interaction_id = ${id}`;
    await fixture.reconcile();
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect((await check()).differences).toEqual([]);
    await setOpening(999_001);
    expect((await check()).differences).toMatchObject([{ text: expect.stringContaining('₱10.00 less') }]);
    await setOpening(1_000_000);
    await fixture.sql`delete from ledger_checks`;
    // What was paid in the last ten minutes may be in the wallet, and not in the ledger.
    const readWidth = async () => {
      const { walletLowCentavos, walletHighCentavos } = await compareWallet(fixture.context);
      return Number(walletHighCentavos) - Number(walletLowCentavos);
    };
    const unbooked = await requests.requested();
    const before = await readWidth();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await requests.payFor(unbooked);
    expect((await readWidth()) - before).toBe(2 * 250_00);
    await fixture.provider.clearFaults();
    await fixture.reconcile();
    // Of a wallet that does not say what is to come nothing is said.
    const { client } = fixture.provider;
    const list = async () => [{ id: 'wallet_1', is_default: true, balance: { available: 1 } }];
    const provider = { ...client, wallets: { ...client.wallets, list } };
    expect(await compareWallet({ ...fixture.context, provider })).toEqual({
      ...{ walletLowCentavos: null, walletHighCentavos: null, differences: [] },
    });
  });
});

test('names a payment that the provider does not have, however many it has that its list had not yet', async ({
  fixture,
  requests,
}) => {
  const interactionId = await requests.requested();
  await fixture.sql`insert into captured_payments (id, interaction_id, amount_centavos, fee_centavos)
    select 'pay_' || lpad(n::text, 3, '0'), ${interactionId}, 250, 0 from generate_series(1, 120) as n`;
  const { client } = fixture.provider;
  let status = 500;
  const isMissing = (id: string) => /^pay_\d{3}$/.test(id) && id > 'pay_060' && id !== 'pay_100';
  const payments = {
    ...client.payments,
    list: async () => ({ items: [], hasMore: false }),
    get: async (id: string) => {
      if (isMissing(id)) throw new PaymongoError(status, [], {});
      return { id, type: 'payment', attributes: { status: 'paid' } };
    },
  } as unknown as Paymongo['payments'];
  const compare = () => compareWithProvider({ ...fixture.context, provider: { ...client, payments } });
  // While it is away it may have them.
  await expect(compare()).rejects.toMatchObject({ status: 500 });
  status = 404;
  const { differences } = await compare();
  await fixture.sql`delete from captured_payments where interaction_id = ${interactionId}`;
  const subjects = differences.map(({ subject }) => subject).filter((id) => /^pay_\d{3}$/.test(id));
  // Of 59 the first 50.
  expect(subjects).toHaveLength(50);
  expect([subjects[0], subjects.includes('pay_100')]).toEqual(['pay_061', false]);
});
