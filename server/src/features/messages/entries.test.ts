import { nowDate, nowMs, replaceClock } from '@tara/contract/clock';
import { unsentBody } from '@tara/contract/notices';
import { and, asc, eq, inArray, like, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, vi } from 'vitest';
import { helpers } from '../../testing/backend/storage.ts';
import { chatActions, chatRoutes } from '../../testing/features/chats.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { openEntryWriter, rebuildEntries, repairEntries, saveEntries } from './entries.ts';
import { messageTasks } from './routes.ts';
import { writeLine } from './send.ts';
import { chatEntries, chatEntryProgress, chats, messages as rows } from './tables.ts';

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
  )
  /** A chat as stored. */
  .extend('stored', { scope: 'file' }, ({ database }) => async (chatId: string) => {
    const [row] = await database.select().from(chats).where(eq(chats.id, chatId));
    if (!row) throw new Error('There is no such chat.');
    return row;
  });

/** A writer whose step runs when the test says so. */
const withSlowLists = test.extend('slow', ({ database, platform }) => () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const execute = async (query: SQL) => {
    await held;
    return database.execute(query);
  };
  const slow = new Proxy(database, {
    get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
  });
  return { writer: openEntryWriter({ ...platform, database: slow }), release };
});

test('the lists of both follow each message', async ({ database, chat, lists }) => {
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
});

test('an older message never takes the place of a newer one', async ({ database, chat, stored, lists }) => {
  const { chatId, client } = await insertChat(database);
  await chat.send(client, chatId, 'first');
  const older = await stored(chatId);
  await chat.send(client, chatId, 'second');
  await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(2));
  const before = await lists(chatId);
  await saveEntries(database, [older]);
  expect(await lists(chatId)).toEqual(before);
});

test('lists that were lost are made again from the messages', async ({ database, chat, stored, lists }) => {
  const { chatId, client, creator } = await insertChat(database);
  for (const who of [client, creator, creator]) await chat.send(who, chatId, `of ${who.profileId}`);
  await chat.mark(client, chatId, { read: 2 });
  await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(3));
  const before = await lists(chatId);
  const { chatId: emptyId } = await insertChat(database);
  await database.delete(chatEntries).where(inArray(chatEntries.chatId, [chatId, emptyId]));
  await database.update(chats).set({ preview: 'wrong', previewBy: null }).where(eq(chats.id, chatId));
  await rebuildEntries(database);
  expect(await lists(emptyId)).toMatchObject([{ preview: '' }, { preview: '' }]);
  const hidden = { hiddenThrough: expect.any(Number), version: (await stored(chatId)).version };
  expect(await lists(chatId)).toEqual(before.map((entry) => ({ ...entry, ...hidden })));
});

test('lists of more chats than are copied by one statement are all written again', async ({
  database,
  platform,
}) => {
  const count = 1_100;
  await database.execute(sql`
    insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, last_sequence, first_count, version)
    select 'many' || n, 'conversation', 'first' || n, 'second' || n, 'first' || n, 'second' || n, 1, 1, 1
    from generate_series(1, ${count}::int) n`);
  await database.execute(sql`
    insert into messages (chat_id, sequence, id, user_id, name, body, client_key, first_count, second_count)
    select 'many' || n, 1, 'many' || n, 'first' || n, 'Member', 'Hi', 'key', 1, 0
    from generate_series(1, ${count}::int) n`);
  await database.execute(sql`
    insert into chat_marks (chat_id, member_id, delivered, read, incoming_read)
    select 'many' || n, 'second' || n, 1, 1, 1 from generate_series(1, ${count}::int) n`);
  const hasManyId = like(chatEntries.chatId, 'many%');
  const isRead = and(hasManyId, eq(chatEntries.incomingRead, 1));
  for (const write of [() => rebuildEntries(database), () => repairEntries(platform)]) {
    await database.delete(chatEntries).where(hasManyId);
    await write();
    expect(await database.$count(chatEntries, hasManyId)).toBe(2 * count);
    expect(await database.$count(chatEntries, isRead)).toBe(count);
  }
});

describe('what a crash left between the commit and the lists', () => {
  test('is repaired by the next start: messages and marks', async ({ database, platform, chat, lists }) => {
    const { chatId, client, creator } = await insertChat(database);
    for (const who of [client, creator, creator]) await chat.send(who, chatId, `of ${who.profileId}`);
    await chat.mark(client, chatId, { read: 2 });
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(3));
    const before = await lists(chatId);
    await database
      .update(chatEntries)
      .set({ version: 1, lastSequence: 1, preview: 'old', incoming: 0, read: 0, incomingRead: 0 });
    for (let count = 0; count < 2; count++) await repairEntries(platform);
    expect(await lists(chatId)).toEqual(before);
  });

  test('is repaired when its node is found dead, though others have written theirs since', async ({
    database,
    platform,
    chat,
    lists,
  }) => {
    const { chatId, client } = await insertChat(database);
    await chat.send(client, chatId, 'hello');
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(1));
    const before = await lists(chatId);
    await database.update(chatEntries).set({ version: 0, lastSequence: 0, preview: '', incoming: 0 });
    const sentAt = new Date(nowMs() - 300_000);
    await database.update(rows).set({ createdAt: sentAt }).where(eq(rows.chatId, chatId));
    await database
      .insert(chatEntryProgress)
      .values({ savedThrough: nowDate() })
      .onConflictDoUpdate({ target: chatEntryProgress.single, set: { savedThrough: nowDate() } });
    await repairEntries(platform);
    expect(await lists(chatId)).toMatchObject([{ lastSequence: 0 }, { lastSequence: 0 }]);
    const job = { lastNotedAt: new Date(sentAt.getTime() + 3000).toISOString() };
    const stopping = { ...helpers, signal: AbortSignal.abort(new Error('the node leaves')) };
    await expect(messageTasks(platform)['messages.repairLists'](job, stopping)).rejects.toThrow('leaves');
    expect(await lists(chatId)).toMatchObject([{ lastSequence: 0 }, { lastSequence: 0 }]);
    for (let count = 0; count < 2; count++)
      await messageTasks(platform)['messages.repairLists'](job, helpers);
    expect(await lists(chatId)).toEqual(before);
  });

  test('is repaired by the next start: a text that was taken back', async ({
    database,
    platform,
    chat,
    stored,
    lists,
  }) => {
    const { chatId, client } = await insertChat(database);
    const sent = await chat.send(client, chatId, 'my address');
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(1));
    const before = await lists(chatId);
    await chat.unsend(client, chatId, sent.id);
    // The message is older than what a start looks at: it is found because it was taken back.
    const longAgo = new Date('2026-01-02T03:04:05Z');
    await database.update(rows).set({ createdAt: longAgo }).where(eq(rows.chatId, chatId));
    for (const { memberId, version, preview } of before)
      await database.update(chatEntries).set({ version, preview }).where(eq(chatEntries.memberId, memberId));
    await repairEntries(platform);
    const { version } = await stored(chatId);
    expect(await lists(chatId)).toMatchObject(before.map(() => ({ version, preview: unsentBody })));
  });
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

describe('a message that is taken back', () => {
  withSlowLists(
    'while a slow step still has its text never comes back to the lists',
    async ({ database, chat, slow, stored, lists }) => {
      const { chatId, client } = await insertChat(database);
      const sent = await chat.send(client, chatId, 'my address');
      const { writer, release } = slow();
      writer.add(await stored(chatId));
      await chat.unsend(client, chatId, sent.id);
      const unsent = {
        version: (await stored(chatId)).version,
        preview: unsentBody,
        previewBy: client.profileId,
      };
      expect(await lists(chatId)).toMatchObject([unsent, unsent]);
      release();
      await writer.close();
      expect(await lists(chatId)).toMatchObject([unsent, unsent]);
    },
  );

  withSlowLists('is not brought back by a rebuild that read it before', async ({ database, chat, lists }) => {
    const { chatId, client } = await insertChat(database);
    const sent = await chat.send(client, chatId, 'my address');
    await Promise.all([
      ...Array.from({ length: 5 }, () => rebuildEntries(database)),
      chat.unsend(client, chatId, sent.id),
      ...Array.from({ length: 5 }, () => rebuildEntries(database)),
    ]);
    expect(await lists(chatId)).toMatchObject([{ preview: unsentBody }, { preview: unsentBody }]);
  });

  test('leaves the start of the newest in the lists, if it is an older one', async ({
    database,
    chat,
    lists,
  }) => {
    const { chatId, client } = await insertChat(database);
    const sent = await chat.send(client, chatId, 'older');
    await chat.send(client, chatId, 'newer');
    await chat.unsend(client, chatId, sent.id);
    expect(await lists(chatId)).toMatchObject([
      { preview: 'newer', lastSequence: 2 },
      { preview: 'newer', lastSequence: 2 },
    ]);
  });

  test('touches no table but those of the chat until it is stored', async ({ database, chat, lists }) => {
    const { chatId, client } = await insertChat(database);
    const sent = await chat.send(client, chatId, 'my address');
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.lastSequence).toBe(1));
    const refused = sql`alter table ${chatEntries} add constraint refused check (preview <> 'message unsent') not valid`;
    await database.execute(refused);
    expect((await chat.unsend(client, chatId, sent.id)).reply.unsent).toBe(true);
    expect((await lists(chatId))[0]?.preview).toBe('my address');
    await database.execute(sql`alter table ${chatEntries} drop constraint refused`);
    // The writer tries again.
    await vi.waitFor(async () => expect((await lists(chatId))[0]?.preview).toBe(unsentBody), {
      timeout: 30_000,
    });
  });
});

test('of very many chats whose lists wait some are written at a time', async ({
  database,
  platform,
  stored,
}) => {
  const { chatId } = await insertChat(database);
  const chat = await stored(chatId);
  const sizes: number[] = [];
  const execute = async (query: SQL) => {
    const { params } = new PgDialect().sqlToQuery(query);
    sizes.push(JSON.parse(String(params[0])).length);
    return database.execute(query);
  };
  const counting = new Proxy(database, {
    get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
  });
  const writer = openEntryWriter({ ...platform, database: counting });
  for (let index = 0; index < 2_500; index++)
    writer.add({ ...chat, id: `waiting ${index}`, firstId: `first ${index}`, secondId: `second ${index}` });
  await writer.close();
  // Of both members. The first is written when it is added, alone.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(5_000);
  expect(Math.max(...sizes)).toBe(2_000);
});

test('a message that comes while the lists’ last write ends is written too', async ({
  database,
  platform,
  stored,
  lists,
}) => {
  // How many turns of the microtask queue after the write.
  for (let turns = 0; turns < 8; turns++) {
    const { chatId } = await insertChat(database);
    const chat = await stored(chatId);
    const message = (sequence: number) => ({ ...chat, version: sequence, lastSequence: sequence });
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
    const writer = openEntryWriter({ ...platform, database: slow });
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

withSlowLists.for([
  ['late', 1_000, 1],
  ['in time', 0, 0],
] as const)(
  'lists that are written %s are announced to both members’ web once more: %i ms, %i times',
  async ([, ms, times], { database, onTestFinished, platform, stored, slow }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = await stored(chatId);
    const { writer, release } = slow();
    const before = platform.announced.length;
    const start = nowMs();
    let passedMs = 0;
    onTestFinished(replaceClock({ nowMs: () => start + passedMs }));
    writer.add(chat);
    passedMs = ms;
    release();
    await writer.close();
    const announced = platform.announced.slice(before).filter(({ clients }) => clients === 'web');
    for (const { accountId, profileId } of [client, creator])
      expect(
        announced.filter(({ id, audience }) => id === profileId && audience.includes(accountId)),
      ).toHaveLength(times);
    // A plan chat is in no list of conversations: clients of the wire learn nothing.
    expect(platform.announced).toHaveLength(before + 2 * times);
  },
);

test('a line whose place in the lists cannot be written is written there by the next attempt', async ({
  database,
  platform,
  lists,
}) => {
  const { chatId } = await insertChat(database);
  const line = { chatId, body: 'The plan is confirmed.', clientKey: 'confirmed' };
  await database.execute(
    sql`alter table ${chatEntries} add constraint refused check (last_sequence < 1) not valid`,
  );
  await writeLine(platform, line);
  // The writer tries again by itself: nothing is written as long as the constraint exists.
  expect(await lists(chatId)).toMatchObject([{ preview: '' }, { preview: '' }]);
  await database.execute(sql`alter table ${chatEntries} drop constraint refused`);
  await writeLine(platform, line);
  expect(await lists(chatId)).toMatchObject([{ preview: line.body }, { preview: line.body }]);
  expect(await database.$count(rows, eq(rows.chatId, chatId))).toBe(1);
});
