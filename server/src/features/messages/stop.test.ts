import { nowDate } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { insertBlock, insertMember, insertMembers } from '../../testing/features/members.ts';
import { test as base } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { messageTasks } from './routes.ts';
import { chats } from './tables.ts';

/** More than a call changes, and with more members than are read by one statement. */
const count = 1_001;

/** A member with more chats than a call changes: conversations that either began. */
const test = base
  .extend('member', { scope: 'file' }, async ({ database }) => {
    await insertMembers(database, 'other', count);
    const member = await insertMember(database);
    const [self, other] = [sql`${member.profileId}`, sql`'other' || n`];
    await database.execute(sql`
      insert into conversations (id, mix_id, first_id, second_id, first_account_id, second_account_id)
      select 'chat' || n, first.account_id || second.account_id, first.id, second.id, first.account_id, second.account_id
      from generate_series(1, ${count}::int) n
        join profiles first on first.id = case when n % 2 = 0 then ${self} else ${other} end
        join profiles second on second.id = case when n % 2 = 0 then ${other} else ${self} end`);
    await database.execute(sql`
      insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id)
      select id, 'conversation', first_id, second_id, first_account_id, second_account_id from conversations`);
    return member;
  })
  .extend(
    'setLeaving',
    ({ database, member }) =>
      (change: Partial<typeof accounts.$inferInsert>) =>
        database.update(accounts).set(change).where(eq(accounts.id, member.accountId)),
  )
  .extend(
    'countClosed',
    ({ database }) =>
      () =>
        database.$count(chats, eq(chats.blocked, true)),
  )
  /** Does the jobs that wait; returns how many there were. */
  .extend('work', ({ platform }) => async (signal = new AbortController().signal) => {
    const payloads = await platform.jobs('messages.stopChats');
    const { 'messages.stopChats': stop } = messageTasks(platform);
    for (const payload of payloads)
      await stop(payload, { log: platform.log, attempt: 1, maxAttempts: 1, signal });
    await platform.takeJobs();
    return payloads.length;
  });

test('the very many chats of a member who leaves are closed by a job, and opened by one when the member stays', async ({
  database,
  platform,
  member,
  setLeaving,
  countClosed,
  work,
  onTestFinished,
}) => {
  await insertBlock(database, { profileId: 'other7' }, member);
  expect(await countClosed()).toBe(1);

  await setLeaving({ deletesAt: nowDate() });
  // The call itself holds none of them.
  expect(await countClosed()).toBe(1);
  const changed = vi.fn<() => void>();
  onTestFinished(platform.bus.subscribe('chatsChanged', changed));
  expect(await work()).toBe(1);
  expect(await countClosed()).toBe(count);
  // Who looks at one of them reads it again.
  expect(changed.mock.calls).toEqual([
    [{ accountId: member.accountId, otherAccountId: null, hides: false }, 'here'],
  ]);

  await setLeaving({ deletesAt: null });
  expect(await countClosed()).toBe(count);
  expect(await work()).toBe(1);
  // Who was blocked still is.
  expect(await database.select({ id: chats.id }).from(chats).where(eq(chats.blocked, true))).toEqual([
    { id: 'chat7' },
  ]);
});

test('a job about the chats of who leaves ends when its node stops, and is done as a whole later', async ({
  setLeaving,
  countClosed,
  work,
}) => {
  await setLeaving({ deletesAt: nowDate() });
  await expect(work(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
  expect(await countClosed()).toBe(1);
  await work();
  expect(await countClosed()).toBe(count);
});

test('the very many chats of a deleted member stay closed', async ({
  database,
  member,
  setLeaving,
  countClosed,
  work,
}) => {
  await setLeaving({ deletesAt: nowDate() });
  await work();
  // One that was queued before the deletion may be done after it.
  await setLeaving({ deletesAt: null });
  await setLeaving({ deletesAt: nowDate() });
  await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, member.profileId));
  await setLeaving({ deletesAt: null, deletedAt: nowDate() });
  await work();
  expect(await countClosed()).toBe(count);
});
