import { receipts } from '@tara/contract/receipts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { newId } from '../../platform/ids.ts';
import { insertMember } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { testPlatform } from '../../testing/platform.ts';
import { type TestServer, testServer } from '../../testing/server.ts';
import { files } from '../files/index.ts';
import { receiptRoutes } from './routes.ts';
import { insertChat } from './testing.ts';

let testing: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  testing = await createTestDatabase();
  const platform = testPlatform(testing.database);
  server = await testServer(platform, (app) => receiptRoutes(app, platform));
});
afterAll(async () => {
  await server.close();
  await testing.drop();
});

const send = receipts.sendMessage;
const upload = (ownerAccountId: string) =>
  insertPicture(testing.database, { ownerAccountId, bucket: 'messageFiles' });

test('a picture alone is a message, readable to the two members only', async () => {
  const { chatId, client, creator } = await insertChat(testing.database);
  const imageId = await upload(client.accountId);
  const body = { conversation: chatId, message: '', imageId, clientKey: newId() };
  const { reply } = await server.call(client, send, { body });
  expect(reply).toMatchObject({ sequence: 1, body: '', picture: { imageId, width: 400, height: 300 } });
  const [file] = await testing.database.select().from(files).where(eq(files.id, imageId));
  expect(file?.readers).toEqual([creator.accountId, client.accountId]);
  expect(file?.usedAt).not.toBeNull();
  // Sending again finds the message, although its picture is used now.
  expect((await server.call(client, send, { body })).reply).toEqual(reply);
  const read = await server.call(creator, receipts.messages, { params: { id: chatId } });
  expect(read.reply.items).toEqual([reply]);
});

test('a picture that is not the writer’s own unused upload is refused, and leaves no hole', async () => {
  const { chatId, client } = await insertChat(testing.database);
  const other = await insertMember(testing.database);
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
    await insertPicture(testing.database, { ownerAccountId: client.accountId }),
  ]) {
    const { problem } = await sendPicture(imageId);
    expect(problem.type).toBe('storage_file_not_found');
    refusals.add(JSON.stringify({ ...problem, requestId: '' }));
  }
  // One answer for all: nobody learns which ids others uploaded.
  expect(refusals.size).toBe(1);
  expect((await sendPicture(await upload(client.accountId))).reply.sequence).toBe(2);
});
