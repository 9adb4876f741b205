import { nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test as plainTest } from '../../testing/test.ts';
import { openLastSeen } from './last-seen.ts';
import { watchPresence } from './presence.ts';
import { memberPresence } from './tables.ts';

const test = plainTest.extend('seenAt', ({ database }) => async ({ profileId }: Member) => {
  const [row] = await database.select().from(memberPresence).where(eq(memberPresence.profileId, profileId));
  return row?.lastSeenAt.getTime();
});

describe('when a member was last seen', () => {
  test('is stored at most once in 5 minutes, many members by one statement', async ({
    database,
    platform,
    seenAt,
  }) => {
    const [ana, ben] = [await insertMember(database), await insertMember(database)];
    const lastSeen = openLastSeen(platform);
    lastSeen.note(ana.profileId);
    lastSeen.note(ben.profileId);
    lastSeen.note('nobody');
    await lastSeen.flush();
    const first = await seenAt(ana);
    expect(first).toBeGreaterThan(0);
    expect(await seenAt(ben)).toBe(first);
    // Also by another process, which knows nothing of the first.
    for (const writer of [lastSeen, openLastSeen(platform)]) {
      writer.note(ana.profileId);
      await writer.flush();
      expect(await seenAt(ana)).toBe(first);
    }
    await database.update(memberPresence).set({ lastSeenAt: new Date(nowMs() - 301_000) });
    const later = openLastSeen(platform);
    later.note(ana.profileId);
    await later.flush();
    expect(await seenAt(ana)).toBeGreaterThanOrEqual(first ?? 0);
  });

  test('is noted by coming, going, subscribing and writing, and stored when the server stops', async ({
    database,
    platform,
    seenAt,
  }) => {
    const members = await Promise.all(Array.from({ length: 6 }, () => insertMember(database)));
    const [comes, subscribes, writes, types, unsent, posted] = members;
    if (!comes || !subscribes || !writes || !types || !unsent || !posted)
      throw new Error('Members are missing.');
    const watched = watchPresence(platform, { hasListener: () => false });
    const { bus } = platform;
    bus.publish('presenceChanged', { ...comes, cause: 'connection', online: true });
    bus.publish('memberActive', subscribes);
    const message = { ...{ audience: [], owners: { profileIds: [], authorId: null } }, id: 'm1' } as const;
    bus.publish('document', {
      ...{ ...message, collection: 'chats', change: 'create' },
      document: { userId: writes.profileId },
    });
    bus.publish('document', {
      ...{ ...message, collection: 'conversations', change: 'update' },
      document: { typing: types.profileId },
    });
    // An admin may take a message back, and anybody changes what others see of a post.
    for (const [{ profileId: userId }, collection, change] of [
      [unsent, 'chats', 'update'],
      [posted, 'posts', 'create'],
    ] as const)
      bus.publish('document', { ...message, collection, change, document: { userId } });
    await null;
    await watched.close();
    for (const member of [comes, subscribes, writes]) expect(await seenAt(member)).toBeGreaterThan(0);
    for (const member of [types, unsent, posted]) expect(await seenAt(member)).toBeUndefined();
  });
});
