import { type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { insertMember } from '../../testing/features/members.ts';
import { makeEveryAmount, unassignedDispute } from '../../testing/features/money-lives.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { proveLedger } from './ledger-check.ts';
import { compareWithProvider } from './ledger-provider.ts';
import type { LedgerDifference } from './tables.ts';

/** A change of one centavo, and what the proof has to name because of it. */
interface Damage {
  name: string;
  subject: string;
  change: SQL;
}

type Prove = (database: Database) => Promise<{ differences: LedgerDifference[] }>;

/** Fewer than the proof names of one rule. */
const mostAtOnce = 40;

/** Does the work and undoes it. */
async function undone(database: Database, work: (database: Database) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  const working = database.transaction(async (transaction) => {
    // No trigger refuses a change.
    await transaction.execute(sql`set local session_replication_role = replica`);
    // A transaction reads like the database.
    await work(transaction as never);
    throw undo;
  });
  await expect(working).rejects.toBe(undo);
}

const checkViolation = '23514';

/** Makes a change, unless a constraint refuses it. @returns whether it was made. */
const change = (database: Database, statement: SQL): Promise<boolean> =>
  database
    .transaction((transaction) => transaction.execute(statement))
    .then(
      () => true,
      (error: { cause?: { code?: string } }) => {
        if (error.cause?.code === checkViolation) return false;
        throw error;
      },
    );

/** The damages of which the proof does not name the subject: those of different subjects are done at once. */
async function findUnnamed(database: Database, damages: Damage[], prove: Prove): Promise<Damage[]> {
  const unnamed: Damage[] = [];
  let waiting = damages;
  while (waiting.length > 0) {
    const round = [...new Map(waiting.map((damage) => [damage.subject, damage])).values()].slice(
      0,
      mostAtOnce,
    );
    waiting = waiting.filter((damage) => !round.includes(damage));
    await undone(database, async (changed) => {
      const planted: Damage[] = [];
      for (const damage of round) if (await change(changed, damage.change)) planted.push(damage);
      const { differences } = await prove(changed);
      // What cannot be checked is no answer.
      expect(differences.filter(({ rule }) => rule === 'the ledger can be checked')).toEqual([]);
      const subjects = new Set(differences.map(({ subject }) => subject));
      unnamed.push(...planted.filter(({ subject }) => !subjects.has(subject)));
    });
  }
  return unnamed;
}

const test = paymentTest
  .extend('world', { scope: 'file' }, async ({ fixture }) =>
    makeEveryAmount(fixture, await insertMember(fixture.database, { admin: true })),
  )
  /** What one rule about the provider's lists names. */
  .extend('compareBy', { scope: 'file' }, ({ fixture: { context } }) => (rule: string): Prove => {
    const list = async () => ({ items: [unassignedDispute], hasMore: false });
    const provider = { ...context.provider, disputes: { ...context.provider.disputes, list } };
    return async (database) => {
      const compared = await compareWithProvider({ ...context, database, provider }, { settleSeconds: 0 });
      return { differences: compared.differences.filter((difference) => difference.rule === rule) };
    };
  });

/** A column, and which of its rows are not proved. */
interface Column {
  /** SQL of what the proof names of a row. */
  subject: SQL;
  /** Rows of which nothing else in Tara says what the amount is. */
  except?: SQL;
  /** The rule that compares it with the provider's lists, where the proof by itself cannot name it. */
  rule?: string;
}

const byRequest = { subject: sql`interaction_id` };

/** The columns that store an amount and are compared with something else. */
const proved: Record<string, Column> = {
  'attempts.amount_centavos': {
    subject: sql`(select interaction_id from disbursements where id = disbursement_id)`,
    except: sql`state in ('refused', 'lost') and exists (select from disbursements join chargebacks using (payment_id)
      where disbursements.id = disbursement_id and chargebacks.state = 'lost')`,
  },
  'captured_payments.amount_centavos': byRequest,
  'captured_payments.fee_centavos': byRequest,
  'chargebacks.amount_centavos': byRequest,
  'chargebacks.fee_centavos': byRequest,
  'chargebacks.from_escrow_centavos': byRequest,
  'chargebacks.from_payable_centavos': byRequest,
  'disbursements.amount_centavos': byRequest,
  'interactions.price_centavos': { subject: sql`id`, except: sql`paid_at is null` },
  'interactions.refund_centavos': { subject: sql`id` },
  'interactions.released_centavos': { subject: sql`id` },
  'ledger_entries.amount': { subject: sql`transfer_id::text` },
  'manual_transfers.amount_centavos': byRequest,
  'request_decisions.refund_centavos': byRequest,
  'unassigned_disputes.amount_centavos': { subject: sql`id`, rule: 'a dispute has one amount' },
};

/** Those that nothing is compared with: docs/payments.md says why. */
const unproved = [
  'ledger_checks.wallet_high_centavos',
  'ledger_checks.wallet_low_centavos',
  'money_alarms.amount_centavos',
  'plans.price_centavos',
];

test('each column that stores an amount is proved, or named with its reason', async ({ fixture }) => {
  const rows = await fixture.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (column_name like '%centavos%' or column_name like '%amount%' or data_type in ('money', 'numeric'))`;
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(proved), ...unproved].sort());
});

test('requests in every state of money have no difference', async ({ fixture, world: _ }) => {
  expect((await proveLedger(fixture.database)).differences).toEqual([]);
});

test.for(Object.entries(proved))(
  'one centavo in any row of %s is named',
  async ([name, { subject, except = sql`false`, rule }], { fixture: { database }, compareBy, world: _ }) => {
    const [table, column] = name.split('.').map((part) => sql.identifier(part));
    const rows = await database.execute<{ place: string; subject: string; text: string }>(sql`
    select ctid::text as place, ${subject} as subject, to_jsonb(stored)::text as text from ${table} as stored
    where ${column} is not null and not (${except})`);
    expect(rows.length).toBeGreaterThan(0);
    const damages = rows.flatMap(({ place, subject, text }) =>
      [1, -1].map((by) => ({
        ...{ name: `${by} ${text}`, subject },
        change: sql`update ${table} set ${column} = ${column} + ${by} where ctid = ${place}::tid`,
      })),
    );
    const unnamed = await findUnnamed(database, damages, rule === undefined ? proveLedger : compareBy(rule));
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  },
);

/** Two accounts of a kind of movement of which only the provider knows how much is whose, with the rule that asks it. */
const providerOnly: Record<string, string> = {
  'capture: fees, tax_withheld': 'the booked tax of a payment is the provider’s',
  'payout: cash, fees': 'the fee of a payout is the provider’s',
  'refund: cash, fees': 'the fee of a payout is the provider’s',
};
/** How much of a loss a refused refund makes up for is booked when it is refused, and nowhere else. */
const ledgerOnly = 'chargeback_lost: escrow, losses';

test('one centavo of another account of the same movement is named, but for what only the provider knows', async ({
  fixture: { database },
  compareBy,
  world: _,
}) => {
  type Pair = Record<'accounts' | 'subject' | 'one' | 'other', string>;
  const pairs = await database.execute<Pair>(sql`
    select format('%s: %s, %s', kind, least(one.account, other.account), greatest(one.account, other.account)) as accounts,
      interaction_id as subject, one.ctid::text as one, other.ctid::text as other
    from ledger_transfers as transfer join ledger_entries as one on one.transfer_id = transfer.id
      join ledger_entries as other on other.transfer_id = transfer.id and other.account <> one.account`);
  const damages = pairs.map(({ accounts, subject, one, other }) => ({
    ...{ name: accounts, subject },
    change: sql`update ledger_entries set amount = amount + case ctid when ${one}::tid then 1 else -1 end
      where ctid in (${one}::tid, ${other}::tid)`,
  }));
  const unnamed = await findUnnamed(database, damages, proveLedger);
  const names = [...new Set(unnamed.map(({ name }) => name))].sort();
  expect(names).toEqual([...Object.keys(providerOnly), ledgerOnly].sort());
  for (const [name, rule] of Object.entries(providerOnly)) {
    const [planted] = unnamed.filter((damage) => damage.name === name);
    await undone(database, async (changed) => {
      await changed.execute(planted?.change ?? sql``);
      expect((await compareBy(rule)(changed)).differences).toHaveLength(1);
    });
  }
});
