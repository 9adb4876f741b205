import { describe, expect } from 'vitest';
import { violates } from '../../platform/database/constraint.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { test as base } from '../../testing/test.ts';
import { book, cash, type Entry, escrow, fees, heldFor, readBalance } from './ledger.ts';

const test = base
  .extend('interactionId', async ({ database }) => {
    const creator = await insertMember(database, { verified: true });
    const client = await insertMember(database, { verified: true });
    const planId = await insertPlan(database, creator);
    return insertInteraction(database, { creator, client, planId });
  })
  .extend(
    'capture',
    ({ database, interactionId }) =>
      (...entries: Entry[]) =>
        database.transaction((transaction) =>
          book(transaction, {
            ...{ kind: 'capture', interactionId, paymentId: null, of: interactionId, entries },
          }),
        ),
  );

const failure = async (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => expect.unreachable('it was allowed'),
    (error: Error) => error,
  );

test('holds what was captured, in full, and sums it by account', async ({
  database,
  interactionId,
  capture,
}) => {
  const before = await readBalance(database, cash);
  await capture([cash, 240_00], [fees, 10_00], [escrow(interactionId), -250_00]);
  expect(await heldFor(database, interactionId)).toBe(250_00);
  expect((await readBalance(database, cash)) - before).toBe(240_00);
  expect(await readBalance(database, escrow('nobody'))).toBe(0);
});

test('refuses at commit what does not sum to zero (threat-unbalanced-transfers)', async ({
  database,
  interactionId,
  capture,
}) => {
  const error = await failure(capture([cash, 250_00], [escrow(interactionId), -249_99]));
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
  expect(await heldFor(database, interactionId)).toBe(0);
});

test('refuses a transfer without entries', async ({ connection, interactionId }) => {
  const { sql } = connection;
  const error = await failure(
    sql`insert into ledger_transfers (key, kind, interaction_id) values (${`x:${interactionId}`}, 'capture', ${interactionId})`,
  );
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
});

test('refuses an entry that would join an older transfer (threat-unbalanced-transfers)', async ({
  connection,
  interactionId,
  capture,
}) => {
  await capture([cash, 250_00], [escrow(interactionId), -250_00]);
  const error = await failure(connection.sql`insert into ledger_entries (transfer_id, account, owner, amount)
    select id, 'payable', 'somebody', 1 from ledger_transfers where interaction_id = ${interactionId}`);
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
});

test.for([
  ['escrows', 'somebody'],
  ['escrow', ''],
  ['cash', 'somebody'],
] as const)(
  'refuses an account %s of %j',
  async ([account, owner], { connection, interactionId, capture }) => {
    await capture([cash, 250_00], [escrow(interactionId), -250_00]);
    const error =
      await failure(connection.sql`insert into ledger_entries (transfer_id, account, owner, amount)
    select id, ${account}, ${owner}, 1 from ledger_transfers where interaction_id = ${interactionId}`);
    expect(violates(error, 'ledger_entries_account_check')).toBe(true);
  },
);

test('books each kind once per request (threat-charged-twice)', async ({
  database,
  interactionId,
  capture,
}) => {
  const entries: Entry[] = [
    [cash, 250_00],
    [escrow(interactionId), -250_00],
  ];
  await capture(...entries);
  expect(violates(await failure(capture(...entries)), 'ledger_transfers_key_key')).toBe(true);
  expect(await heldFor(database, interactionId)).toBe(250_00);
});

describe('is append-only', () => {
  test.for([
    ['update ledger_entries set amount = amount + 1'],
    ['delete from ledger_entries'],
    ['truncate ledger_entries'],
    ["update ledger_transfers set kind = 'refund'"],
    ['delete from ledger_transfers'],
    ['truncate ledger_transfers cascade'],
  ] as const)('%s', async ([statement], { connection, database, interactionId, capture }) => {
    await capture([cash, 250_00], [escrow(interactionId), -250_00]);
    const error = await failure(connection.sql.unsafe(statement));
    expect(error.message).toContain('append-only');
    expect(await heldFor(database, interactionId)).toBe(250_00);
  });
});

describe('no state moves backwards, by any writer (threat-mass-assignment, threat-backward-states)', () => {
  test.for([
    ['paid_at = null'],
    ["paid_at = now() + interval '1 second'"],
    ['accepted_at = null'],
    ['price_centavos = 1'],
  ] as const)('%s', async ([change], { connection, interactionId }) => {
    await connection.sql`update interactions set paid_at = now(), accepted_at = now() where id = ${interactionId}`;
    const error = await failure(
      connection.sql.unsafe(`update interactions set ${change} where id = '${interactionId}'`),
    );
    expect(error.message).toContain('never taken back');
  });

  test.for([
    ['disbursements', "state = 'sending', arrived_at = null"],
    ['disbursements', 'amount_centavos = 1'],
    ['attempts', "state = 'sent', ended_at = null"],
  ] as const)('%s: what arrived is not %s', async ([table, change], { connection, interactionId }) => {
    const { sql } = connection;
    await sql`insert into captured_payments (id, interaction_id, amount_centavos)
      values (${`pay_${interactionId}`}, ${interactionId}, 250)`;
    await sql`insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, arrived_at)
      select id, id, ${`pay_${interactionId}`}, 'payout', creator_id, 'transfer', 250, 'arrived', now()
      from interactions where id = ${interactionId}`;
    await sql`insert into attempts (disbursement_id, number, way, key, amount_centavos, state, ended_at)
      values (${interactionId}, 1, 'transfer', ${interactionId}, 250, 'arrived', now())`;
    const error = await failure(sql.unsafe(`update ${table} set ${change}`));
    expect(error.message).toContain('never');
  });
});
