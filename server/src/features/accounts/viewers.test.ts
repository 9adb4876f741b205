import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBus } from '../../platform/bus.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { Topics } from '../../platform/documents.ts';
import type { ResolveViewer } from '../../platform/http/viewer.ts';
import { quietLog } from '../../platform/log.ts';
import { endSession } from './sessions.ts';
import { accounts, sessions } from './tables.ts';
import { addMember } from './testing.ts';
import { createResolveViewer } from './viewers.ts';
import { noVisit } from './visit.ts';

let test: TestDatabase;
let resolve: ResolveViewer;
const bus = openBus<Topics>(quietLog());

beforeAll(async () => {
  test = await createTestDatabase();
  resolve = createResolveViewer({ database: test.database, bus });
});
afterAll(() => test.drop());

it('finds the account and profile of a session', async () => {
  const member = await addMember(test, { labels: ['admin'], name: 'Ben', emailVerified: false });
  expect(await resolve(member.secret)).toEqual({
    accountId: member.accountId,
    profileId: member.profileId,
    sessionId: member.sessionId,
    passwordShownAt: expect.any(Date),
    name: 'Ben',
    email: member.email,
    emailVerified: false,
    verified: false,
    admin: true,
  });
});

it('finds nobody for an unknown, expired or closed one', async () => {
  expect(await resolve('nonsense')).toBeNull();
  const expired = await addMember(test);
  await test.database
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(sessions.id, expired.sessionId));
  expect(await resolve(expired.secret)).toBeNull();
  const closed = await addMember(test);
  await test.database
    .update(accounts)
    .set({ blockedAt: new Date() })
    .where(eq(accounts.id, closed.accountId));
  expect(await resolve(closed.secret)).toBeNull();
});

it('forgets at once what the bus says has changed', async () => {
  const member = await addMember(test);
  expect(await resolve(member.secret)).toMatchObject({ admin: false });
  await endSession(test.database, member.accountId, member.sessionId, noVisit);
  bus.publish('viewerChanged', { accountId: member.accountId });
  await null;
  expect(await resolve(member.secret)).toBeNull();
});

it('does not keep what was read while it changed', async () => {
  const member = await addMember(test);
  const reading = resolve(member.secret);
  bus.publish('viewerChanged', { accountId: member.accountId });
  await reading;
  await test.database.delete(sessions).where(eq(sessions.id, member.sessionId));
  expect(await resolve(member.secret)).toBeNull();
});
