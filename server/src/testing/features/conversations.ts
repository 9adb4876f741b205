import { nowMs } from '@tara/contract/clock';
import { conversations as calls } from '@tara/contract/messages/conversations';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { blockRoutes } from '../../features/blocks/index.ts';
import { conversationRoutes } from '../../features/conversations/index.ts';
import { conversations } from '../../features/conversations/tables.ts';
import { countRoutes } from '../../features/counts/index.ts';
import { chatEntries, messageRoutes, openChat } from '../../features/messages/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { serverTest } from '../test.ts';
import { insertMember, type Member } from './members.ts';

interface Party {
  profileId: string;
  accountId: string;
}

/** A conversation that `first` began, accepted unless said otherwise; its expiry is a week ahead unless given. */
export async function insertConversation(
  database: Database,
  first: Party,
  second: Party,
  {
    awaitsId = null,
    expiresAt = new Date(nowMs() + 7 * 86_400_000),
  }: { awaitsId?: string | null; expiresAt?: Date | null } = {},
): Promise<{ id: string; mixId: string }> {
  const id = newId();
  const mixId = first.accountId + second.accountId;
  await database.transaction(async (transaction) => {
    await transaction.insert(conversations).values({
      ...{ id, mixId, firstId: first.profileId, secondId: second.profileId },
      ...{ firstAccountId: first.accountId, secondAccountId: second.accountId },
      removeExpired: expiresAt === null,
    });
    await openChat(transaction, {
      ...{ id, kind: 'conversation', expiresAt, awaitsId },
      first: { id: first.profileId, accountId: first.accountId },
      second: { id: second.profileId, accountId: second.accountId },
    });
  });
  return { id, mixId };
}

/** Tests of conversations, with the calls that most of them make. */
export const conversationTest = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  messageRoutes(app, platform);
  countRoutes(app, platform);
  blockRoutes(app, platform);
})
  .extend(
    'member',
    ({ database }) =>
      (name: string) =>
        insertMember(database, { name }),
  )
  .extend(
    'write',
    ({ server }) =>
      (who: Member, convoId: string, body: string, clientKey = newId()) =>
        server.call(who, calls.sendMessage, { body: { convoId, body, clientKey } }),
  )
  .extend(
    'read',
    ({ server }) =>
      (who: Member, mixId: string) =>
        server.call(who, calls.conversation, { params: { mixId } }),
  )
  .extend(
    'list',
    ({ server }) =>
      async (who: Member, query: object = {}) =>
        (await server.call(who, calls.list, { query })).reply,
  )
  /** The lists are written after the messages. */
  .extend(
    'listed',
    ({ database }) =>
      (chatId: string, sequence: number) =>
        expect
          .poll(() =>
            database
              .select({ sequence: chatEntries.lastSequence })
              .from(chatEntries)
              .where(eq(chatEntries.chatId, chatId)),
          )
          .toEqual([{ sequence }, { sequence }]),
  );

/** Tests of conversations that begin: two members of whom either begins one. */
export const beginTest = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  messageRoutes(app, platform);
  countRoutes(app, platform);
  blockRoutes(app, platform);
})
  .extend('pair', ({ database }) => async () => {
    const [ana, ben] = [
      await insertMember(database, { name: 'Ana' }),
      await insertMember(database, { name: 'Ben' }),
    ];
    return { ana, ben };
  })
  .extend(
    'begin',
    ({ server }) =>
      (who: Member, other: Member) =>
        server.call(who, calls.createConversation, {
          body: { creator1: who.profileId, creator2: other.profileId },
        }),
  )
  .extend(
    'write',
    ({ server }) =>
      (who: Member, convoId: string, body: string, clientKey = newId()) =>
        server.call(who, calls.sendMessage, { body: { convoId, body, clientKey } }),
  );
