import { nowMs } from '@tara/contract/clock';
import { unsentBody } from '@tara/contract/notices';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { helpers } from '../../testing/backend/storage.ts';
import { chatActions, chatRoutes } from '../../testing/features/chats.ts';
import { insertBlock, insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { files } from '../files/index.ts';
import { fileCan } from '../files/policy.ts';
import { chatEntries, chats, unsentMessages } from './tables.ts';
import { removeUnsentMessages } from './unsend.ts';

const test = serverTest(chatRoutes).extend('chat', { scope: 'file' }, ({ server }) => chatActions(server));

test('an unsent message reads ‘message unsent’ for both at once, and its picture is removed (§4-unsend, §4-unsend-image)', async ({
  database,
  platform,
  chat,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const imageId = await insertPicture(database, { ownerAccountId: client.accountId, bucket: 'messageFiles' });
  const other = await insertChat(database);
  const first = await chat.send(client, chatId, 'before');
  const others = [
    await chat.send(other.client, other.chatId, 'in another chat'),
    await chat.send(other.client, other.chatId, 'in another chat, too'),
  ];
  const sent = await chat.send(client, chatId, 'my address', { imageId });
  const { reply } = await chat.unsend(client, chatId, sent.id);
  expect(reply).toEqual({ ...sent, body: 'message unsent', picture: null, unsent: true });
  const announced = () => platform.announced.filter(({ id }) => id === sent.id);
  expect(announced().at(-1)).toMatchObject({
    ...{
      collection: 'chatReceipts',
      id: sent.id,
      change: 'update',
      document: { body: unsentBody, unsent: true },
    },
    audience: [creator.accountId, client.accountId],
  });
  for (const who of [client, creator])
    expect((await chat.read(who, chatId)).reply.messages.items).toEqual([reply, first]);
  expect((await chat.read(other.creator, other.chatId)).reply.messages.items).toEqual(others.toReversed());
  const [file] = await database.select().from(files).where(eq(files.id, imageId));
  for (const who of [client, creator]) expect(file && fileCan.see(who, file)).toBe(false);
  const entries = await database.select().from(chatEntries).where(eq(chatEntries.chatId, chatId));
  expect(entries.map(({ preview }) => preview)).toEqual([unsentBody, unsentBody]);
  // Once more it is the same.
  const events = announced().length;
  expect((await chat.unsend(client, chatId, sent.id)).reply).toEqual(reply);
  expect(announced()).toHaveLength(events);
});

test('only its author takes a message back', async ({ database, chat }) => {
  const { chatId, client, creator } = await insertChat(database);
  const other = await insertChat(database);
  const sent = await chat.send(client, chatId, 'mine');
  expect((await chat.unsend(creator, chatId, sent.id)).problem.type).toBe('message_not_found');
  expect((await chat.unsend(client, chatId, 'unknown')).problem.type).toBe('message_not_found');
  expect((await chat.unsend(other.client, other.chatId, sent.id)).problem.type).toBe('message_not_found');
  const stranger = await insertMember(database, { admin: true });
  expect((await chat.unsend(stranger, chatId, sent.id)).problem.type).toBe('chat_not_found');
  expect((await chat.read(client, chatId)).reply.messages.items).toEqual([sent]);
});

test('after a block nothing is taken back: it may be reported', async ({ database, chat }) => {
  const { chatId, client, creator } = await insertChat(database);
  const sent = await chat.send(client, chatId, 'a threat');
  await insertBlock(database, creator, client);
  expect((await chat.unsend(client, chatId, sent.id)).problem.type).toBe('chat_read_only');
});

test('the original of a plan chat is deleted 30 days after the request is over', async ({
  database,
  platform,
  chat,
}) => {
  const { chatId, client } = await insertChat(database);
  const imageId = await insertPicture(database, { ownerAccountId: client.accountId, bucket: 'messageFiles' });
  const sent = await chat.send(client, chatId, 'an original', { imageId });
  await chat.unsend(client, chatId, sent.id);
  const open = await insertChat(database);
  const other = await chat.send(open.client, open.chatId, 'an original of an open request');
  await chat.unsend(open.client, open.chatId, other.id);
  const originals = (id = chatId) =>
    database.select().from(unsentMessages).where(eq(unsentMessages.chatId, id));
  expect(await originals()).toMatchObject([{ sequence: 1, body: 'an original', imageId }]);
  const day = 24 * 3_600_000;
  const closeAt = (days: number) =>
    database
      .update(chats)
      .set({ closedAt: new Date(nowMs() - days * day) })
      .where(eq(chats.id, chatId));
  await removeUnsentMessages(platform, helpers);
  await closeAt(29);
  await removeUnsentMessages(platform, helpers);
  expect(await originals()).toHaveLength(1);
  expect(await platform.jobs('files.remove')).toEqual([]);
  await closeAt(31);
  for (let count = 0; count < 2; count++) expect(await removeUnsentMessages(platform, helpers)).toBe(false);
  expect(await originals()).toEqual([]);
  expect(await originals(open.chatId)).toHaveLength(1);
  expect(await platform.jobs('files.remove')).toEqual([{ id: imageId }]);
});
