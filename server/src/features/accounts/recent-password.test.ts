import { account, accounts } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import { nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { requireRecentPassword } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { backendTest } from '../../testing/backend/backend.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';
import { hashPassword } from './password.ts';
import { accountEvents, sessions } from './tables.ts';

let member: TestMember;
const password = 'a long password';
const test = backendTest({ RATE_LIMITS: 'on' })
  .extend('newMember', { scope: 'file' }, ({ connection }) => async (): Promise<TestMember> => {
    return addMember(connection, {
      email: `${newId()}@example.com`,
      passwordHash: await hashPassword(password, {}),
    });
  })
  .extend(
    'send',
    { scope: 'file' },
    ({ backend }) =>
      (who: TestMember, call: { method: string; path: string }, body: object) =>
        fetch(backend.url + call.path, {
          method: call.method,
          headers: { 'content-type': 'application/json', 'x-appwrite-session': who.secret },
          body: JSON.stringify(body),
        }),
  )
  .extend(
    'confirm',
    { scope: 'file' },
    ({ send }) =>
      (who: TestMember, password: string) =>
        send(who, accounts.confirmPassword, { password }),
  )
  .extend(
    'shownAt',
    { scope: 'file' },
    ({ database }) =>
      async (who: TestMember) =>
        (await database.select().from(sessions).where(eq(sessions.id, who.sessionId)))[0]?.passwordShownAt,
  )
  .extend(
    'forget',
    { scope: 'file' },
    ({ connection }) =>
      (who: TestMember) =>
        connection.sql`update sessions set password_shown_at = 'epoch' where id = ${who.sessionId}`,
  );

test('the contract says which calls are sensitive', () => {
  const sensitive = Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls).flatMap(([name, { recentPassword: needs }]) =>
      needs === null ? [] : [`${table}.${name} ${needs}`],
    ),
  );
  expect(sensitive.sort()).toEqual(
    expect.arrayContaining([
      'admin.confirmPlans always',
      'profiles.updateAbout sometimes',
      'verification.picture always',
      'verification.pictures always',
    ]),
  );
});

test('a password counts as recent for 15 minutes and not longer', () => {
  const now = 1_800_000_000_000;
  const viewer = (ago: number) => ({ passwordShownAt: new Date(now - ago) });
  requireRecentPassword(viewer(15 * 60_000), now);
  expect(() => requireRecentPassword(viewer(15 * 60_000 + 1), now)).toThrow(
    new Problem('user_recent_password_required'),
  );
});

describe('confirming the password', () => {
  test('makes it recent for this session alone, and is written to the account’s events', async ({
    database,
    backend,
    newMember,
    confirm,
    shownAt,
    forget,
  }) => {
    member = await newMember();
    const other = await newMember();
    await forget(member);
    await forget(other);
    expect((await confirm(member, password)).status).toBe(200);
    expect((await shownAt(member))?.getTime()).toBeGreaterThan(nowMs() - 60_000);
    expect((await shownAt(other))?.getTime()).toBe(0);
    const events = await database
      .select()
      .from(accountEvents)
      .where(eq(accountEvents.accountId, member.accountId));
    expect(events.map(({ event }) => event)).toContain('session.password.confirm');
    expect(backend.platform.viewersChanged).toContain(member.accountId);
  });

  test.for([
    ['a wrong one', 'another password', 'user_password_wrong'],
    ['an empty one', '', 'general_argument_invalid'],
    ['one that is too long', 'x'.repeat(257), 'general_argument_invalid'],
  ] as const)(
    'refuses %s at its field',
    async ([_name, password, type], { newMember, confirm, shownAt, forget }) => {
      member = await newMember();
      await forget(member);
      const answer = await confirm(member, password);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ type, fields: { password: expect.any(String) } }),
      ]);
      expect((await shownAt(member))?.getTime()).toBe(0);
    },
  );

  test('does not let a thief of a session guess: after a failure even the right one waits, longer each time (threat-stolen-sessions)', async ({
    newMember,
    confirm,
    shownAt,
    forget,
  }) => {
    member = await newMember();
    await forget(member);
    const guesses = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const { status, headers } = await confirm(member, `guess ${attempt}`);
      guesses.push([status, Number(headers.get('retry-after'))]);
    }
    expect(guesses).toEqual([
      [400, 1],
      [429, 2],
      [429, 4],
      [429, 8],
    ]);
    const answer = await confirm(member, password);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ type: 'general_rate_limit_exceeded' });
    expect(answer.headers.get('retry-after')).toBe('16');
    expect((await shownAt(member))?.getTime()).toBe(0);
  });

  test('needs a session', async ({ backend }) => {
    const answer = await fetch(backend.url + accounts.confirmPassword.path, { method: 'POST' });
    expect(answer.status).toBe(401);
  });
});

test('a new password shows the old one, so it counts as recent', async ({
  newMember,
  send,
  shownAt,
  forget,
}) => {
  member = await newMember();
  await forget(member);
  const body = { password: 'another long password', oldPassword: password };
  expect((await send(member, account.updatePassword, body)).status).toBe(200);
  expect((await shownAt(member))?.getTime()).toBeGreaterThan(nowMs() - 60_000);
});
