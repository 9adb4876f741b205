import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violates } from '../../platform/database/constraint.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { insertMember } from '../../testing/members.ts';
import { insertInteraction, insertPlan } from '../interactions/testing.ts';
import { balanceOf, book, cash, escrow, fees, heldFor } from './ledger.ts';

let testing: TestDatabase;
let interactionId: string;

beforeAll(async () => {
  testing = await createTestDatabase();
});
beforeEach(async () => {
  const creator = await insertMember(testing.database, { verified: true });
  const client = await insertMember(testing.database, { verified: true });
  const planId = await insertPlan(testing.database, creator);
  interactionId = await insertInteraction(testing.database, { creator, client, planId });
});
afterAll(() => testing.drop());

const capture = (entries: Record<string, number>) =>
  testing.database.transaction((transaction) =>
    book(transaction, { kind: 'capture', interactionId, entries }),
  );
const failure = async (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => expect.unreachable('it was allowed'),
    (error: Error) => error,
  );

it('holds what was captured, less nothing, and tells it by account', async () => {
  const before = await balanceOf(testing.database, cash);
  await capture({ [cash]: 240_00, [fees]: 10_00, [escrow(interactionId)]: -250_00 });
  expect(await heldFor(testing.database, interactionId)).toBe(250_00);
  expect((await balanceOf(testing.database, cash)) - before).toBe(240_00);
  expect(await balanceOf(testing.database, 'nobody')).toBe(0);
});

it('refuses at commit what does not sum to zero', async () => {
  const error = await failure(capture({ [cash]: 250_00, [escrow(interactionId)]: -249_99 }));
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
  expect(await heldFor(testing.database, interactionId)).toBe(0);
});

it('refuses a transfer without entries', async () => {
  const { sql } = testing;
  const error = await failure(
    sql`insert into ledger_transfers (key, kind, interaction_id) values (${`x:${interactionId}`}, 'capture', ${interactionId})`,
  );
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
});

it('refuses an entry that would join an older transfer', async () => {
  await capture({ [cash]: 250_00, [escrow(interactionId)]: -250_00 });
  const error = await failure(testing.sql`insert into ledger_entries (transfer_id, account, amount)
    select id, 'somebody', 1 from ledger_transfers where interaction_id = ${interactionId}`);
  expect(violates(error, 'ledger_zero_sum')).toBe(true);
});

it('books each kind once per request', async () => {
  const entries = { [cash]: 250_00, [escrow(interactionId)]: -250_00 };
  await capture(entries);
  expect(violates(await failure(capture(entries)), 'ledger_transfers_key_key')).toBe(true);
  expect(await heldFor(testing.database, interactionId)).toBe(250_00);
});

describe('is append-only', () => {
  it.each([
    ['update ledger_entries set amount = amount + 1'],
    ['delete from ledger_entries'],
    ['truncate ledger_entries'],
    ["update ledger_transfers set kind = 'refund'"],
    ['delete from ledger_transfers'],
    ['truncate ledger_transfers cascade'],
  ])('%s', async (statement) => {
    await capture({ [cash]: 250_00, [escrow(interactionId)]: -250_00 });
    const error = await failure(testing.sql.unsafe(statement));
    expect(error.message).toContain('append-only');
    expect(await heldFor(testing.database, interactionId)).toBe(250_00);
  });
});

describe('no state is taken back, whoever writes', () => {
  it.each([
    ['paid_at = null'],
    ["paid_at = now() + interval '1 second'"],
    ['accepted_at = null'],
    ['price_centavos = 1'],
  ])('%s', async (change) => {
    await testing.sql`update interactions set paid_at = now(), accepted_at = now() where id = ${interactionId}`;
    const error = await failure(
      testing.sql.unsafe(`update interactions set ${change} where id = '${interactionId}'`),
    );
    expect(error.message).toContain('never taken back');
  });

  it.each([
    ['payouts', 'sending', 'owed'],
    ['payouts', 'paid', 'sending'],
    ['refunds', 'refunded', 'owed'],
  ])('%s: %s is not %s again', async (table, state, earlier) => {
    const columns = table === 'payouts' ? ', creator_id' : '';
    await testing.sql.unsafe(
      `insert into ${table} (interaction_id, amount_centavos, state${columns})
       select id, 250, '${state}'${columns} from interactions where id = '${interactionId}'`,
    );
    const error = await failure(
      testing.sql.unsafe(
        `update ${table} set state = '${earlier}' where interaction_id = '${interactionId}'`,
      ),
    );
    expect(error.message).toContain('never moves backwards');
  });
});
