import { blocks } from '@tara/contract/members/blocks';
import { conversations } from '@tara/contract/messages/conversations';
import type { ChatKind } from '@tara/contract/messages/messages';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Message } from '../../platform/realtime/hub.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { blockRoutes } from '../blocks/index.ts';
import { chatChannel, chats, findChat } from '../messages/index.ts';
import { watchPresence } from './presence.ts';
import { conversationRoutes } from './routes.ts';
import { memberPresence } from './tables.ts';

const test = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  blockRoutes(app, platform);
})
  .extend('pair', ({ database }) => async (awaits: 'nobody' | 'ben' = 'nobody') => {
    const [ana, ben] = [await insertMember(database), await insertMember(database)];
    const awaitsId = awaits === 'ben' ? ben.profileId : null;
    return { ana, ben, ...(await insertConversation(database, ana, ben, { awaitsId })) };
  })
  /** What a member sees of the other's presence. */
  .extend('see', ({ server }) => async (who: Member, mixId: string) => {
    const { reply } = await server.call(who, conversations.conversation, { params: { mixId } });
    const { online, lastSeenAt } = reply.conversation;
    return { online, lastSeenAt };
  })
  .extend(
    'hide',
    ({ server }) =>
      (who: Member, showLastSeen = false) =>
        server.call(who, conversations.updateSettings, { body: { showLastSeen } }),
  )
  .extend(
    'block',
    ({ server }) =>
      (who: Member, { profileId }: Member) =>
        server.call(who, blocks.block, { body: { profileId } }),
  );

const longAgo = new Date('2026-01-02T03:04:05Z');
const nothing = { online: false, lastSeenAt: null };

describe('of the other member', () => {
  test('a chat says whether the other member is here, or since when not', async ({
    database,
    platform,
    pair,
    see,
  }) => {
    const { ana, ben, mixId } = await pair();
    expect(await see(ana, mixId)).toEqual(nothing);
    await database.insert(memberPresence).values({ profileId: ben.profileId, lastSeenAt: longAgo });
    expect(await see(ana, mixId)).toEqual({ online: false, lastSeenAt: longAgo.toISOString() });
    platform.onlineAccounts.add(ben.accountId);
    expect(await see(ana, mixId)).toEqual({ online: true, lastSeenAt: null });
    expect(await see(ben, mixId)).toEqual(nothing);
  });

  test.for(['hidden', 'blocked', 'blocking', 'leaving', 'request'] as const)(
    'one sees nothing while: %s (threat-presence)',
    async (why, { database, platform, server, pair, see, hide, block }) => {
      const { ana, ben, id, mixId } = await pair(why === 'request' ? 'ben' : 'nobody');
      await database.insert(memberPresence).values([
        { profileId: ana.profileId, lastSeenAt: longAgo },
        { profileId: ben.profileId, lastSeenAt: longAgo },
      ]);
      if (why === 'hidden') await hide(ben);
      if (why === 'blocked') await block(ben, ana);
      if (why === 'blocking') await block(ana, ben);
      if (why === 'leaving') await database.update(chats).set({ blocked: true }).where(eq(chats.id, id));
      for (const isHere of [false, true]) {
        if (isHere) for (const { accountId } of [ana, ben]) platform.onlineAccounts.add(accountId);
        if (why === 'blocked') {
          const { problem } = await server.call(ana, conversations.conversation, { params: { mixId } });
          expect(problem.type).toBe('conversation_not_found');
        } else expect(await see(ana, mixId)).toEqual(nothing);
        if (why === 'request') expect(await see(ben, mixId)).toEqual(nothing);
      }
    },
  );
});

describe('to those who look at a conversation', () => {
  const withWatch = test
    /** The viewer of each channel, in place of sockets. */
    .extend('looking', () => new Map<string, Viewer>())
    .extend(
      'hasListener',
      ({ looking }) =>
        ({ channels, accountIds, mayRead }: Omit<Message, 'frameFor'>) =>
          [...looking].some(
            ([channel, viewer]) =>
              channels.includes(channel) &&
              accountIds?.includes(viewer.accountId) === true &&
              mayRead(viewer),
          ),
    )
    .extend('watch', ({ platform, hasListener }, { onCleanup }) => {
      const watched = watchPresence(platform, { hasListener }, { graceMs: 0 });
      onCleanup(watched.close);
      /** Comes or goes, as the hub says it; returns what was announced since. */
      const move = async ({ accountId, profileId }: Member, isHere: boolean) => {
        if (isHere) platform.onlineAccounts.add(accountId);
        else platform.onlineAccounts.delete(accountId);
        const change = { accountId, profileId, cause: 'connection', online: isHere } as const;
        platform.bus.publish('presenceChanged', change);
        await null;
      };
      const from = platform.announced.length;
      const events = () => platform.announced.slice(from).filter(({ document }) => 'presence' in document);
      return { move, events };
    })
    .extend('look', ({ database, looking }) => async (who: Member, id: string) => {
      await findChat(database, who, id);
      looking.set(chatChannel({ id, kind: 'conversation' }), who);
    });

  withWatch(
    'who is back while the other nodes are asked was never away',
    async ({ database, platform, pair, look, hasListener, onTestFinished }) => {
      const { ana, ben, id } = await pair();
      await look(ana, id);
      const { promise: question, resolve: ask } = Promise.withResolvers<void>();
      const { promise: answer, resolve } = Promise.withResolvers<boolean>();
      const isOnline = () => {
        ask();
        return answer;
      };
      const { close } = watchPresence({ ...platform, isOnline }, { hasListener }, { graceMs: 0 });
      onTestFinished(close);
      const from = platform.announced.length;
      for (const online of [false, true]) {
        platform.bus.publish('presenceChanged', { ...ben, cause: 'connection', online });
        if (!online) await question;
      }
      await null;
      resolve(false);
      // Announced after them.
      platform.bus.publish('presenceChanged', { ...ben, cause: 'connection', online: true });
      for (let turn = 0; turn < 5; turn++) await database.$count(memberPresence);
      await expect
        .poll(() => platform.announced.slice(from))
        .toMatchObject([{ document: { presence: { memberId: ben.profileId, online: true } } }]);
    },
  );

  withWatch(
    'it is announced when the other comes, and some seconds after they went',
    async ({ pair, look, watch }) => {
      const { ana, ben, id } = await pair();
      await look(ana, id);
      await watch.move(ben, true);
      await expect.poll(() => watch.events()).toHaveLength(1);
      expect(watch.events()[0]).toMatchObject({
        ...{ collection: 'conversations', id, audience: [ana.accountId] },
        document: { presence: { memberId: ben.profileId, online: true, lastSeenAt: null } },
        owners: { profileIds: [ben.profileId], authorId: null },
      });
      // A page that is loaded again.
      await watch.move(ben, false);
      await watch.move(ben, true);
      await watch.move(ben, false);
      await expect.poll(() => watch.events()).toHaveLength(2);
      expect(watch.events()[1]?.document).toEqual({
        presence: {
          memberId: ben.profileId,
          online: false,
          lastSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
    },
  );

  withWatch(
    'who went on one node is not announced as away while here by another',
    async ({ platform, pair, look, watch }) => {
      const [elsewhere, gone] = [await pair(), await pair()];
      for (const { ana, id } of [elsewhere, gone]) await look(ana, id);
      const { accountId, profileId } = elsewhere.ben;
      platform.onlineAccounts.add(accountId);
      const change = { accountId, profileId, cause: 'connection', online: false } as const;
      platform.bus.publish('presenceChanged', change);
      await watch.move(gone.ben, false);
      await expect.poll(() => watch.events().map((event) => event.id)).toEqual([gone.id]);
    },
  );

  withWatch(
    'nothing is announced before a request is accepted, to blocked members, or where nobody looks',
    async ({ pair, look, looking, watch }) => {
      const request = await pair('ben');
      await look(request.ana, request.id);
      await watch.move(request.ben, true);
      const hidden = await pair();
      await look(hidden.ana, hidden.id);
      looking.set(chatChannel({ id: hidden.id, kind: 'conversation' }), {
        ...hidden.ana,
        hiddenProfileIds: [hidden.ben.profileId],
      });
      await watch.move(hidden.ben, true);
      const unseen = await pair();
      await watch.move(unseen.ben, true);
      const shown = await pair();
      await look(shown.ana, shown.id);
      await watch.move(shown.ben, true);
      await expect.poll(() => watch.events().map((event) => event.id)).toEqual([shown.id]);
    },
  );

  withWatch(
    'hiding it is announced once, and later visits are not (threat-presence)',
    async ({ pair, look, watch, hide }) => {
      const { ana, ben, id } = await pair();
      const other = await pair();
      await look(ana, id);
      await look(other.ana, other.id);
      await watch.move(ben, true);
      await expect.poll(() => watch.events()).toHaveLength(1);
      await hide(ben);
      await expect.poll(() => watch.events()).toHaveLength(2);
      expect(watch.events()[1]?.document).toEqual({ presence: { memberId: ben.profileId, ...nothing } });
      // Once the other is announced as away, a member who went before is away, too.
      await watch.move(ben, false);
      await watch.move(other.ben, false);
      await expect.poll(() => watch.events()).toHaveLength(3);
      await watch.move(ben, true);
      await watch.move(other.ben, true);
      await expect.poll(() => watch.events()).toHaveLength(4);
      expect(watch.events().map((event) => event.id)).toEqual([id, id, other.id, other.id]);
      await hide(ben, true);
      // A visit whose setting is read only now may be announced as well.
      const newest = () => watch.events().slice(4).at(-1)?.document;
      await expect.poll(newest).toMatchObject({ presence: { memberId: ben.profileId, online: true } });
    },
  );
});

describe('an open chat', () => {
  const withOpenChat = test
    .extend('looking', () => new Set<string>())
    .extend('watched', { auto: true }, ({ platform, looking }, { onCleanup }) => {
      const hasListener = ({ channels }: Omit<Message, 'frameFor'>) =>
        channels.some((channel) => looking.has(channel));
      onCleanup(watchPresence(platform, { hasListener }).close);
    })
    .extend(
      'look',
      ({ database, looking }) =>
        async (who: Member, { id, kind = 'conversation' }: { id: string; kind?: ChatKind }) => {
          await findChat(database, who, id);
          looking.add(chatChannel({ id, kind }));
        },
    )
    .extend('open', ({ pair, look }) => async () => {
      const opened = await pair();
      await look(opened.ana, opened);
      return opened;
    })
    .extend('events', ({ platform }) => async (id: string) => {
      await null;
      const announced = platform.announced.filter((event) => event.id === id);
      return announced.map(({ audience, document, owners }) => ({ audience, document, owners }));
    });
  const noOwners = { profileIds: [], authorId: null };

  withOpenChat(
    'is announced to both at once when one shows or hides read marks (§9)',
    async ({ server, open, pair, events }) => {
      const { ana, ben, id } = await open();
      const unseen = await pair();
      for (const showReadMarks of [false, true])
        for (const who of [ben, unseen.ben])
          await server.call(who, conversations.updateSettings, { body: { showReadMarks } });
      const changed = {
        ...{ audience: [ana.accountId, ben.accountId], owners: noOwners, document: { changed: true } },
      };
      expect(await events(id)).toEqual([changed, changed]);
      expect(await events(unseen.id)).toEqual([]);
    },
  );

  withOpenChat(
    'shows neither as here once one blocks the other (threat-presence)',
    async ({ database, server, open, look, block, events }) => {
      const { ana, ben, id } = await open();
      // Of the same member with somebody else.
      const cora = await insertMember(database);
      const other = await insertConversation(database, ben, cora);
      await look(cora, other);
      await block(ben, ana);
      const gone = (of: Member, audience: Member) => ({
        ...{ audience: [audience.accountId], owners: noOwners },
        document: { presence: { memberId: of.profileId, ...nothing } },
      });
      const changed = {
        ...{ audience: [ana.accountId, ben.accountId], owners: noOwners, document: { changed: true } },
      };
      expect(await events(id)).toEqual([gone(ana, ben), gone(ben, ana), changed]);
      expect(await events(other.id)).toEqual([]);
      await server.call(ben, blocks.unblock, { body: { profileId: ana.profileId } });
      expect((await events(id)).slice(3)).toEqual([changed]);
    },
  );

  withOpenChat('shows a member who leaves as away', async ({ platform, open, events }) => {
    const { ana, ben, id } = await open();
    platform.bus.publish('chatsChanged', { accountId: ben.accountId, otherAccountId: null, hides: true });
    await expect
      .poll(async () => (await events(id)).map(({ document }) => document))
      .toEqual([
        ...[ana, ben].map(({ profileId: memberId }) => ({ presence: { memberId, ...nothing } })),
        { changed: true },
      ]);
  });

  withOpenChat(
    'is read again when a node is gone, with which the other may have been; a plan chat shows nobody as here',
    async ({ database, platform, open, pair, look, events }) => {
      const [{ ana, ben, id }, unseen] = [await open(), await pair()];
      await findChat(database, unseen.ana, unseen.id);
      const planChat = await insertChat(database);
      await look(planChat.client, { id: planChat.chatId, kind: 'receipt' });
      platform.bus.publish('nodeGone', {});
      await expect
        .poll(() => events(id))
        .toEqual([
          {
            ...{ audience: [ana.accountId, ben.accountId], owners: noOwners, document: { changed: true } },
          },
        ]);
      expect(await events(unseen.id)).toEqual([]);
      expect(await events(planChat.chatId)).toEqual([]);
    },
  );
});
