import { messages as contract } from '@tara/contract/messages';
import { unsentBody } from '@tara/contract/notices';
import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { chatActions, chatRoutes } from '../../testing/chats.ts';
import { insertChat } from '../../testing/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { openEntryWriter, rebuildEntries, repairEntries, saveEntries } from './entries.ts';
import { writeLine } from './send.ts';
import { chatEntries, chatEntryProgress, messages } from './tables.ts';

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

test('a message that was taken back before it was in the lists stands there as unsent', async ({
  database,
  chat,
  lists,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const sent = await chat.send(client, chatId, 'my address');
  await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(1));
  // As while the message still waits for its place in the lists.
  await database
    .update(chatEntries)
    .set({ lastSequence: 0, preview: '' })
    .where(eq(chatEntries.chatId, chatId));
  await chat.unsend(client, chatId, sent.id);
  const [first, second] = [creator, client];
  const members = {
    ...{ firstId: first.profileId, secondId: second.profileId },
    ...{ firstAccountId: first.accountId, secondAccountId: second.accountId },
  };
  await saveEntries(database, [
    {
      chat: { kind: 'receipt', ...members, firstCount: 0, secondCount: 1 },
      ...{ chatId, sequence: 1, body: 'my address', userId: client.profileId, createdAt: new Date() },
    },
  ]);
  const entry = { lastSequence: 1, preview: unsentBody, previewBy: client.profileId };
  expect(await lists(chatId)).toMatchObject([entry, entry]);
});

test('a message that comes while the lists’ last write ends is written too', async ({
  database,
  platform,
  lists,
}) => {
  // How many turns of the microtask queue after the write.
  for (let turns = 0; turns < 8; turns++) {
    const { chatId, client, creator } = await insertChat(database);
    const chat = {
      ...{ kind: 'receipt' as const, firstId: creator.profileId, secondId: client.profileId },
      ...{ firstAccountId: creator.accountId, secondAccountId: client.accountId },
      ...{ firstCount: 0, secondCount: 0 },
    };
    const message = (sequence: number) => ({
      ...{ chatId, chat, sequence, body: `${sequence}`, userId: null, createdAt: new Date() },
    });
    let writes = 0;
    const addLater = async () => {
      for (let turn = 0; turn < turns; turn++) await null;
      writer.add(message(3));
    };
    const execute = async (query: SQL) => {
      const written = await database.execute(query);
      if (++writes === 2) void addLater();
      return written;
    };
    const slow = new Proxy(database, {
      get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
    });
    const writer = openEntryWriter({ ...platform, database: slow }, 'receipt');
    for (const sequence of [1, 2]) {
      writer.add(message(sequence));
      await vi.waitFor(async () =>
        expect((await lists(chatId))[0]?.lastSequence).toBeGreaterThanOrEqual(sequence),
      );
    }
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence, `${turns}`).toBe(3));
    await writer.close();
  }
});

test('a line whose place in the lists cannot be written is written by the next attempt', async ({
  database,
  platform,
  lists,
}) => {
  const { chatId } = await insertChat(database);
  const line = { chatId, body: 'The plan is confirmed.', clientKey: 'confirmed' };
  await database.execute(
    sql`alter table ${chatEntries} add constraint refused check (last_sequence < 1) not valid`,
  );
  await expect(writeLine(platform, line)).rejects.toThrow();
  await database.execute(sql`alter table ${chatEntries} drop constraint refused`);
  expect(await database.$count(messages, eq(messages.chatId, chatId))).toBe(0);
  await writeLine(platform, line);
  expect(await lists(chatId)).toMatchObject([{ preview: line.body }, { preview: line.body }]);
});
