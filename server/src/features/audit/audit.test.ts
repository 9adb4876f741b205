import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { audit } from './record.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const entry = {
  actorAccountId: 'a1',
  action: 'verification.accept',
  subject: 'profile:p1',
  after: { valid: true },
};

it('keeps what an admin did', async () => {
  await audit(test.database, entry);
  const [line] = await test.sql`select actor_account_id, action, subject, before, after from audit_log`;
  expect(line).toEqual({
    actor_account_id: 'a1',
    action: 'verification.accept',
    subject: 'profile:p1',
    before: null,
    after: { valid: true },
  });
});

it('forgets what was rolled back', async () => {
  const before = await test.sql`select 1 from audit_log`;
  await expect(
    test.database.transaction(async (transaction) => {
      await audit(transaction, entry);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await test.sql`select 1 from audit_log`).toHaveLength(before.length);
});

it.each(['update audit_log set action = $$nothing$$', 'delete from audit_log', 'truncate audit_log'])(
  'cannot be changed: %s',
  async (statement) => {
    await audit(test.database, entry);
    await expect(test.sql.unsafe(statement)).rejects.toThrow('append-only');
  },
);
