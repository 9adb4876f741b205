import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { audit } from './index.ts';

const admin = { accountId: 'a1' };
const entry = {
  action: 'verification.accept',
  subject: 'profile:p1',
  after: { valid: true },
};

test('keeps what an admin did (threat-admin-errors)', async ({ connection, database }) => {
  await audit(database, admin, entry);
  const [line] = await connection.sql`select actor_account_id, action, subject, before, after from audit_log`;
  expect(line).toEqual({
    actor_account_id: 'a1',
    action: 'verification.accept',
    subject: 'profile:p1',
    before: null,
    after: { valid: true },
  });
});

test('forgets what was rolled back', async ({ connection, database }) => {
  const before = await connection.sql`select 1 from audit_log`;
  await expect(
    database.transaction(async (transaction) => {
      await audit(transaction, admin, entry);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await connection.sql`select 1 from audit_log`).toHaveLength(before.length);
});

test.for(['update audit_log set action = $$nothing$$', 'delete from audit_log', 'truncate audit_log'])(
  'cannot be changed: %s (threat-admin-errors)',
  async (statement, { connection, database }) => {
    await audit(database, admin, entry);
    await expect(connection.sql.unsafe(statement)).rejects.toThrow('append-only');
  },
);
