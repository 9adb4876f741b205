import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { messageOf } from '../../testing/features/chats.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { files } from '../files/index.ts';
import { receiptRoutes } from '../receipts/index.ts';
import { messageRoutes } from './routes.ts';

const test = serverTest((app, platform) => {
  receiptRoutes(app, platform);
  messageRoutes(app, platform);
}).extend(
  'upload',
  { scope: 'file' },
  ({ database }) =>
    (ownerAccountId: string) =>
      insertPicture(database, { ownerAccountId, bucket: 'messageFiles' }),
);

const send = receipts.sendMessage;

test('a picture alone is a message, readable to the two members only (§7-api-send-receipt-message)', async ({
  database,
  server,
  upload,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const imageId = await upload(client.accountId);
  const body = { conversation: chatId, message: '', imageId, clientKey: newId() };
  const { reply } = await server.call(client, send, { body });
  expect(reply).toMatchObject({ sequence: 1, body: '', picture: { imageId, width: 400, height: 300 } });
  const [file] = await database.select().from(files).where(eq(files.id, imageId));
  expect(file?.readers).toEqual([creator.accountId, client.accountId]);
  expect(file?.usedAt).not.toBeNull();
  // Sending again finds the message, although its picture is used now.
  expect((await server.call(client, send, { body })).reply).toEqual(reply);
  // The key is each writer's own.
  const other = { ...body, imageId: await upload(creator.accountId) };
  expect((await server.call(creator, send, { body: other })).reply).toMatchObject({
    ...{ sequence: 2, picture: { imageId: other.imageId } },
  });
  const read = await server.call(creator, messages.list, { params: { chatId } });
  expect(read.reply.items.at(-1)).toEqual(messageOf(reply));
  expect(read.reply.items).toHaveLength(2);
});

test('a picture that is not the writer’s own unused upload is refused, and leaves no hole (threat-guessed-ids)', async ({
  database,
  server,
  upload,
}) => {
  const { chatId, client } = await insertChat(database);
  const other = await insertMember(database);
  const used = await upload(client.accountId);
  const sendPicture = (imageId: string) =>
    server.call(client, send, {
      body: { conversation: chatId, message: 'look', imageId, clientKey: newId() },
    });
  expect((await sendPicture(used)).reply.sequence).toBe(1);
  const refusals = new Set<string>();
  for (const imageId of [
    used,
    await upload(other.accountId),
    'unknown',
    await insertPicture(database, { ownerAccountId: client.accountId }),
  ]) {
    const { problem } = await sendPicture(imageId);
    expect(problem.type).toBe('storage_file_not_found');
    refusals.add(JSON.stringify({ ...problem, requestId: '' }));
  }
  // One answer for all: nobody learns which ids others uploaded.
  expect(refusals.size).toBe(1);
  expect((await sendPicture(await upload(client.accountId))).reply.sequence).toBe(2);
});

test('the answer about a picture does not reveal a chat to others (threat-guessed-ids)', async ({
  database,
  server,
}) => {
  const { chatId } = await insertChat(database);
  const stranger = await insertMember(database);
  for (const conversation of [chatId, 'unknown']) {
    const body = { conversation, message: '', imageId: 'unknown', clientKey: newId() };
    const { problem } = await server.call(stranger, send, { body });
    expect(problem.type).toBe('chat_not_found');
  }
});
