import { nowDate } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { test } from '../../testing/test.ts';
import { accounts, sessions } from './tables.ts';
import { watchSessions } from './watch-sessions.ts';

test('while other nodes are not heard, those whose sessions ended elsewhere are announced, looked for every four seconds (threat-stolen-sessions)', async ({
  database,
  platform,
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const [open, ended, expired, closed] = await Promise.all([
    insertMember(database),
    insertMember(database),
    insertMember(database),
    insertMember(database),
  ]);
  await database.delete(sessions).where(eq(sessions.id, ended.sessionId));
  await database
    .update(sessions)
    .set({ expiresAt: new Date(0) })
    .where(eq(sessions.id, expired.sessionId));
  await database.update(accounts).set({ blockedAt: nowDate() }).where(eq(accounts.id, closed.accountId));

  let hearsAll = true;
  const viewers = vi.fn(() => [open, ended, expired, closed]);
  const nodes = { ...platform.nodes, hearsAll: () => hearsAll };
  const { promise: announced, resolve } = Promise.withResolvers<void>();
  platform.viewersChanged.length = 0;
  platform.bus.subscribe('viewerChanged', () => {
    if (platform.viewersChanged.length === 3) resolve();
  });
  onTestFinished(watchSessions({ ...platform, nodes }, { viewers }));
  vi.advanceTimersByTime(5_000);
  expect(viewers).not.toHaveBeenCalled();
  hearsAll = false;
  vi.advanceTimersByTime(1_000);
  expect(viewers).toHaveBeenCalledTimes(1);
  await announced;
  // Until the look is over.
  await new Promise(setImmediate);
  expect(platform.viewersChanged.toSorted()).toEqual(
    [ended, expired, closed].map(({ accountId }) => accountId).toSorted(),
  );
  vi.advanceTimersByTime(3_000);
  expect(viewers).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(viewers).toHaveBeenCalledTimes(2);
});
