import { nowDate, nowMs, replaceClock } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { openBus } from '../../platform/bus.ts';
import type { Topics } from '../../platform/documents.ts';
import { hashSecret } from '../../platform/ids.ts';
import { quietLog } from '../../platform/log.ts';
import { singleNode } from '../../platform/nodes/others.ts';
import { openSealer } from '../../platform/seal.ts';
import { addMember, openSession } from '../../testing/features/sessions.ts';
import { test as base } from '../../testing/test.ts';
import { profiles } from '../profiles/index.ts';
import { noVisit } from './events.ts';
import { endSession, forgetBegun } from './sessions.ts';
import { accounts, sessions } from './tables.ts';
import { createResolveViewer } from './viewers.ts';

const bus = openBus<Topics>(quietLog());
const test = base.extend('resolve', { scope: 'file' }, ({ database }) =>
  createResolveViewer({ database, bus, sealer: openSealer(Buffer.alloc(32, 7)) }, { rateLimits: true }),
);

test('finds the account and profile of a session', async ({ connection, resolve }) => {
  const member = await addMember(connection, { labels: ['admin'], name: 'Ben', emailVerified: false });
  expect(await resolve(member.secret)).toEqual({
    accountId: member.accountId,
    profileId: member.profileId,
    sessionId: member.sessionId,
    passwordShownAt: expect.any(Date),
    name: 'Ben',
    email: member.email,
    emailVerified: false,
    verified: false,
    ...{ hasAdminLabel: true, hasSecondFactor: true, secondFactorShownAt: expect.any(Date), admin: true },
    deletesAt: null,
    suspendedUntil: null,
    hasConsented: true,
    hiddenProfileIds: [],
    hiddenAccountIds: [],
    mutedProfileIds: [],
  });
});

test('finds nobody for an account with no profile record, whose user is sent to /sign-in (§2-guard-no-profile)', async ({
  connection,
  database,
  resolve,
}) => {
  const member = await addMember(connection);
  await database.delete(profiles).where(eq(profiles.id, member.profileId));
  expect(await resolve(member.secret)).toBeNull();
});

test('finds nobody for an unknown, expired or closed one', async ({ connection, database, resolve }) => {
  expect(await resolve('nonsense')).toBeNull();
  const expired = await addMember(connection);
  await database
    .update(sessions)
    .set({ expiresAt: new Date(nowMs() - 1) })
    .where(eq(sessions.id, expired.sessionId));
  expect(await resolve(expired.secret)).toBeNull();
  const closed = await addMember(connection);
  await database.update(accounts).set({ blockedAt: nowDate() }).where(eq(accounts.id, closed.accountId));
  expect(await resolve(closed.secret)).toBeNull();
});

test('a stranger’s unknown secrets ask the database no more often than requests may be made (threat-starvation)', async ({
  connection,
  resolve,
}) => {
  const member = await addMember(connection);
  const address = '203.0.113.9';
  expect(await resolve(member.secret, address)).not.toBeNull();
  const unknown = Array.from({ length: 1300 }, (_, index) => resolve(`unknown ${index}`, address));
  const refused = (await Promise.allSettled(unknown)).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBe(1300 - 1200);
  await expect(resolve('one more', address)).rejects.toMatchObject({ type: 'general_rate_limit_exceeded' });
  // Nobody else is kept out: neither who was found before at the same address, nor another address.
  expect(await resolve(member.secret, address)).toMatchObject({ accountId: member.accountId });
  const other = await addMember(connection);
  expect(await resolve(other.secret, '198.51.100.9')).toMatchObject({ accountId: other.accountId });
});

test('no session of members behind one address is refused because they are many (threat-shared-addresses)', async ({
  connection,
  resolve,
}) => {
  const address = '192.0.2.9';
  const guess = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => resolve(`unknown ${count} ${index}`, address)));
  await guess(1_180);
  const members = await Promise.all(Array.from({ length: 200 }, () => addMember(connection)));
  // Their sessions began on another node.
  for (const { secret } of members) forgetBegun(hashSecret(secret));
  const viewers = await Promise.all(members.map(({ secret }) => resolve(secret, address)));
  expect(viewers.map((viewer) => viewer?.accountId)).toEqual(members.map(({ accountId }) => accountId));
  // What was given back is one point for each that was found, and no more.
  await guess(20);
  await expect(resolve('one more', address)).rejects.toMatchObject({
    type: 'general_rate_limit_exceeded',
  });
});

test('a member who just signed in is not refused while a neighbour sends unknown secrets (threat-starvation)', async ({
  connection,
  database,
  resolve,
}) => {
  const address = '192.0.2.77';
  const unknown = Array.from({ length: 1300 }, (_, index) => resolve(`stranger ${index}`, address));
  await Promise.allSettled(unknown);
  await expect(resolve('one more', address)).rejects.toMatchObject({ type: 'general_rate_limit_exceeded' });
  const member = await addMember(connection);
  expect(await resolve(member.secret, address)).toMatchObject({ accountId: member.accountId });
  // Its secret opens nothing more often than others once it ended.
  await endSession({ database, bus }, member.accountId, member.sessionId, noVisit);
  await null;
  expect(await resolve(member.secret, address)).toBeNull();
  await expect(resolve(member.secret, address)).rejects.toMatchObject({
    type: 'general_rate_limit_exceeded',
  });
});

test('forgets at once what the bus says has changed', async ({ connection, database, resolve }) => {
  const member = await addMember(connection);
  expect(await resolve(member.secret)).toMatchObject({ admin: false });
  await endSession({ database, bus }, member.accountId, member.sessionId, noVisit);
  await null;
  expect(await resolve(member.secret)).toBeNull();
});

const agingTest = test
  /** The clock, as many ms after the beginning as a test sets. */
  .extend('clock', ({ onTestFinished }) => {
    const start = nowMs();
    const clock = { ms: 0 };
    onTestFinished(replaceClock({ nowMs: () => start + clock.ms }));
    return clock;
  })
  .extend(
    'namesAt',
    ({ connection, database, clock }) =>
      /** The names that it gives of a member after so many ms of the clock, whose name changed elsewhere at the beginning. */
      async (resolve: ReturnType<typeof createResolveViewer>, ...times: number[]) => {
        const member = await addMember(connection, { name: 'Ben' });
        await resolve(member.secret);
        await database.update(profiles).set({ name: 'Bea' }).where(eq(profiles.id, member.profileId));
        const names: (string | undefined)[] = [];
        for (clock.ms of times) names.push((await resolve(member.secret))?.name);
        return names;
      },
  );

agingTest(
  'reads a viewer again after 30 seconds of the clock, in case the database changed elsewhere',
  async ({ namesAt, resolve }) => {
    expect(await namesAt(resolve, 29_000, 31_000)).toEqual(['Ben', 'Bea']);
  },
);

agingTest(
  'reads a viewer again after 8 seconds of the clock while other nodes are not heard',
  async ({ database, namesAt }) => {
    const resolve = createResolveViewer(
      { database, bus, sealer: openSealer(Buffer.alloc(32, 7)) },
      { rateLimits: true, nodes: { ...singleNode, hearsAll: () => false } },
    );
    expect(await namesAt(resolve, 7_000, 9_000)).toEqual(['Ben', 'Bea']);
  },
);

agingTest.for([
  ['answers who was read shortly before', false, 'Ben'],
  ['reads a viewer again before refusing them', true, 'Bea'],
] as const)('where there can be other nodes, %s', async ([, isRefused, name], { database, namesAt }) => {
  const resolve = createResolveViewer(
    { database, bus, sealer: openSealer(Buffer.alloc(32, 7)) },
    { rateLimits: true, nodes: { ...singleNode, areMany: true } },
  );
  const ask: typeof resolve = (secret) => (isRefused ? resolve(secret, undefined, true) : resolve(secret));
  expect(await namesAt(ask, 7_000)).toEqual([name]);
});

agingTest(
  'answers nobody by a session whose time is over',
  async ({ connection, database, clock, resolve }) => {
    const { secret, sessionId } = await addMember(connection);
    const isSession = eq(sessions.id, sessionId);
    await database
      .update(sessions)
      .set({ expiresAt: new Date(nowMs() + 20_000) })
      .where(isSession);
    await resolve(secret);
    // The clock of the database is not that of the test.
    await database.delete(sessions).where(isSession);
    clock.ms = 19_000;
    expect(await resolve(secret)).toMatchObject({ sessionId });
    clock.ms = 21_000;
    expect(await resolve(secret)).toBeNull();
  },
);

agingTest(
  'forgets each session of an account that changed, whenever it was read',
  async ({ connection, database, clock, resolve }) => {
    const member = await addMember(connection, { name: 'Ben' });
    const second = await openSession({ database }, member.accountId);
    await resolve(member.secret);
    clock.ms = 20_000;
    await resolve(second);
    clock.ms = 31_000;
    await resolve(member.secret);
    await database.update(profiles).set({ name: 'Bea' }).where(eq(profiles.id, member.profileId));
    bus.publish('viewerChanged', { accountId: member.accountId });
    await null;
    expect(await resolve(second)).toMatchObject({ name: 'Bea' });
  },
);

agingTest(
  'a member who was found before is found where strangers used up the unknown secrets of the address (threat-starvation)',
  async ({ connection, clock, resolve }) => {
    const address = '192.0.2.99';
    const { secret, accountId } = await addMember(connection);
    // The session began on another node.
    forgetBegun(hashSecret(secret));
    await resolve(secret, address);
    const unknown = Array.from({ length: 1300 }, (_, index) => resolve(`guess ${index}`, address));
    await Promise.allSettled(unknown);
    clock.ms = 31_000;
    expect(await resolve(secret, address)).toMatchObject({ accountId });
  },
);

test('does not keep what was read while it changed', async ({ connection, database, resolve }) => {
  const member = await addMember(connection);
  const reading = resolve(member.secret);
  bus.publish('viewerChanged', { accountId: member.accountId });
  await reading;
  await database.delete(sessions).where(eq(sessions.id, member.sessionId));
  expect(await resolve(member.secret)).toBeNull();
});
