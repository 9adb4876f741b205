import { messages as contract } from '@tara/contract/messages';
import { asc, eq, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { chatActions, chatRoutes } from '../../testing/chats.ts';
import { insertChat } from '../../testing/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { rebuildEntries, repairEntries, saveEntries } from './entries.ts';
import { writeLine } from './send.ts';
import { chatEntries, chatEntryProgress } from './tables.ts';

const test = serverTest(chatRoutes)
  .extend('chat', { scope: 'file' }, ({ server }) => chatActions(server))
  .extend(
    'lists',
    { scope: 'file' },
    ({ database }) =>
      (chatId: string) =>
        database
          .select()
          .from(chatEntries)
          .where(eq(chatEntries.chatId, chatId))
          .orderBy(asc(chatEntries.memberId)),
  );

test('the lists of both follow each message', async ({ database, server, chat, lists }) => {
  const { chatId, client, creator } = await insertChat(database);
  await chat.send(client, chatId, 'hello');
  const newest = await chat.send(creator, chatId, 'x'.repeat(200));
  const shared = { lastSequence: 2, incoming: 1, preview: 'x'.repeat(100), previewBy: creator.profileId };
  await vi.waitFor(async () => {
    const entries = await lists(chatId);
    expect(entries).toHaveLength(2);
    for (const entry of entries)
      expect(entry).toMatchObject({ ...shared, updatedAt: new Date(newest.createdAt) });
  });
  const totals = async (who: typeof client) => (await server.call(who, contract.unread)).reply;
  expect(await totals(client)).toEqual({ conversations: 0, receipts: 1, requests: 0 });
  await chat.mark(client, chatId, { read: 2 });
  expect(await totals(client)).toEqual({ conversations: 0, receipts: 0, requests: 0 });
  expect(await totals(creator)).toMatchObject({ receipts: 1 });
});

test('an older message never takes the place of a newer one', async ({ database, chat, lists }) => {
  const { chatId, client, creator } = await insertChat(database);
  await chat.send(client, chatId, 'first');
  await chat.send(client, chatId, 'second');
  await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(2));
  const before = await lists(chatId);
  const { profileId: firstId, accountId: firstAccountId } = creator;
  const { profileId: secondId, accountId: secondAccountId } = client;
  const accounts = { firstId, secondId, firstAccountId, secondAccountId };
  await saveEntries(database, [
    {
      chat: { kind: 'receipt', ...accounts, firstCount: 0, secondCount: 1 },
      ...{ chatId, sequence: 1, body: 'first', userId: secondId, createdAt: new Date() },
    },
  ]);
  expect(await lists(chatId)).toEqual(before);
});

test('lists that were lost are made again from the messages', async ({ database, platform, chat, lists }) => {
  const { chatId, client, creator } = await insertChat(database);
  for (const who of [client, creator, creator]) await chat.send(who, chatId, `of ${who.profileId}`);
  await chat.mark(client, chatId, { read: 2 });
  await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(3));
  const before = await lists(chatId);
  await database.delete(chatEntries).where(eq(chatEntries.chatId, chatId));
  await rebuildEntries(database, 'receipt');
  const place = { hiddenThrough: expect.any(Number) };
  expect(await lists(chatId)).toEqual(before.map((entry) => ({ ...entry, ...place })));

  // What a crash left unwritten: the progress lags behind, and the lists behind the messages.
  await database.update(chatEntries).set({ lastSequence: 1, preview: 'old', incoming: 0, incomingRead: 0 });
  await database.update(chatEntryProgress).set({ savedThrough: sql`now() - interval '1 minute'` });
  await repairEntries(platform, 'receipt');
  expect(await lists(chatId)).toEqual(before.map((entry) => ({ ...entry, ...place })));
});

test('a line of Tara is written once, also into a closed chat, and unread for both', async ({
  database,
  platform,
  chat,
  lists,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const line = { chatId, body: 'The plan is confirmed.', clientKey: 'confirmed' };
  const written = await Promise.all([1, 2, 3].map(() => writeLine(platform, line)));
  expect(written[0]).toMatchObject({ admin: true, userId: '', name: 'Tara', sequence: 1, body: line.body });
  expect(new Set(written.map((message) => message?.id)).size).toBe(1);
  expect(await lists(chatId)).toMatchObject([{ incoming: 1 }, { incoming: 1 }]);
  for (const who of [client, creator]) expect((await chat.read(who, chatId)).reply.chat.unread).toBe(1);
  expect(await writeLine(platform, { ...line, chatId: 'unknown' })).toBeNull();
});
