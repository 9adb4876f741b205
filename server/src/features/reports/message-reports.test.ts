import { blocks } from '@tara/contract/members/blocks';
import { reports } from '@tara/contract/members/reports';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { and, eq, inArray } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chatActions } from '../../testing/features/chats.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { reportTest } from '../../testing/features/reports.ts';
import type { TestServer } from '../../testing/server.ts';
import { accounts as accountRows } from '../accounts/index.ts';
import { auditLog } from '../audit/tables.ts';
import { files } from '../files/index.ts';
import { fileCan } from '../files/policy.ts';
import { unsentMessages } from '../messages/index.ts';

const test = reportTest();

describe('a report of a message', () => {
  const send = (server: TestServer, who: Member, form: object) =>
    server.call(who, reports.create, {
      body: { kind: 'message', reason: 'money', detail: '', ...form },
    });
  const readOpen = async (server: TestServer, admin: Member, recordId: string) =>
    (await server.call(admin, reports.open)).reply.items.find((item) => item.recordId === recordId);

  test('copies it with those before it by the same member, and shows its picture to admins', async ({
    database,
    server,
    admin,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    // What the member wrote to others is none of it.
    const { id: convoId } = await insertConversation(database, client, await insertMember(database));
    const elsewhere = { convoId, body: 'Elsewhere', imageId: null, clientKey: newId() };
    expect((await server.call(client, conversations.sendMessage, { body: elsewhere })).status).toBe(200);
    await chat.send(client, chatId, 'Pay me directly');
    await chat.send(creator, chatId, 'No');
    const imageId = await insertPicture(database, {
      ...{ ownerAccountId: client.accountId, bucket: 'messageFiles' },
    });
    const { id, picture } = await chat.send(client, chatId, 'My account number', { imageId });
    await chat.send(client, chatId, 'Hurry up');
    expect((await send(server, creator, { recordId: id, chatId })).reply).toEqual({ status: 'ok' });
    const report = await readOpen(server, admin, id);
    expect(report).toMatchObject({
      member: { id: client.profileId },
      snapshot: { text: 'Pay me directly\nMy account number', imageUrl: picture?.imageUrl },
    });
    const [file] = await database.select().from(files).where(eq(files.id, imageId));
    expect(file && fileCan.see({ accountId: admin.accountId, hiddenAccountIds: [], admin: true }, file)).toBe(
      true,
    );
    // Taken back, the words stay in the report.
    await chat.unsend(client, chatId, id);
    expect((await readOpen(server, admin, id))?.snapshot.text).toContain('My account number');
    // One that is gone already is no failure.
    const body = { id: report?.id ?? '', decision: 'remove' };
    expect((await server.call(admin, reports.decide, { body })).status).toBe(200);
  });

  test('copies ten messages: it and nine before it', async ({ database, server, admin }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const texts = Array.from({ length: 12 }, (_, index) => `Message ${index}`);
    let id = '';
    for (const text of texts) id = (await chat.send(client, chatId, text)).id;
    await send(server, creator, { recordId: id, chatId });
    const report = await readOpen(server, admin, id);
    expect(report?.snapshot.text.split('\n')).toEqual(texts.slice(2));
  });

  test('can remove it, for both members', async ({ database, platform, server, admin }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const { id } = await chat.send(client, chatId, 'Pay me directly');
    await server.call(creator, blocks.block, { body: { profileId: client.profileId } });
    await send(server, creator, { recordId: id, chatId });
    const report = await readOpen(server, admin, id);
    await server.call(admin, reports.decide, { body: { id: report?.id, decision: 'remove' } });
    const { messages } = (await chat.read(creator, chatId)).reply;
    expect(messages.items[0]).toMatchObject({ id, unsent: true, body: 'message unsent' });
    expect(platform.announced.at(-1)).toMatchObject({ id, change: 'update', document: { unsent: true } });
  });

  test('lets an admin look at the original of one taken back in a plan chat, each look audited', async ({
    database,
    server,
    admin,
    members,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const picture = { ownerAccountId: client.accountId, bucket: 'messageFiles' } as const;
    const imageId = await insertPicture(database, picture);
    const other = await chat.send(creator, chatId, 'Wrong chat');
    await chat.unsend(creator, chatId, other.id);
    const { id } = await chat.send(client, chatId, 'Pay me directly', { imageId });
    await chat.unsend(client, chatId, id);
    await send(server, creator, { recordId: id, chatId });
    const report = await readOpen(server, admin, id);
    expect(report).toMatchObject({ hasOriginal: true, snapshot: { text: 'message unsent', imageUrl: null } });
    // Neither one at the same place of another chat, nor one beside it was taken back.
    const elsewhere = await insertChat(database);
    const first = await chat.send(elsewhere.client, elsewhere.chatId, 'Pay me directly');
    const beside = await chat.send(client, chatId, 'Please');
    await send(server, elsewhere.creator, { recordId: first.id, chatId: elsewhere.chatId });
    await send(server, creator, { recordId: beside.id, chatId });
    for (const { id } of [first, beside])
      expect(await readOpen(server, admin, id)).toMatchObject({ hasOriginal: false });
    const look = (who: Member, reportId = report?.id ?? '') =>
      server.call(who, reports.original, { body: { id: reportId } });
    const canSeePicture = async () => {
      const [file] = await database.select().from(files).where(eq(files.id, imageId));
      const viewer = ({ accountId }: Member, isAdmin: boolean) => ({
        ...{ accountId, hiddenAccountIds: [], admin: isAdmin },
      });
      return file && [fileCan.see(viewer(admin, true), file), fileCan.see(viewer(client, false), file)];
    };
    expect(await canSeePicture()).toEqual([false, false]);
    expect((await look(admin)).reply).toMatchObject({
      text: 'Pay me directly',
      imageUrl: expect.any(String),
    });
    expect(await canSeePicture()).toEqual([true, false]);
    await look(admin);
    const looks = await database
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'report.original'), eq(auditLog.subject, `report:${report?.id}`)));
    expect(looks.map(({ actorAccountId }) => actorAccountId)).toEqual([admin.accountId, admin.accountId]);
    expect(JSON.stringify(looks)).not.toContain('Pay me');
    expect((await look(creator)).problem.type).toBe('admin_only');
    const { ana, ben } = await members();
    expect((await look(admin, 'nothing')).problem.type).toBe('report_not_found');
    await server.call(ana, reports.create, {
      body: { kind: 'member', recordId: ben.profileId, reason: 'spam', detail: '' },
    });
    const another = await readOpen(server, admin, ben.profileId);
    expect((await look(admin, another?.id)).problem.type).toBe('report_not_possible');
    // Decided, the original stays for an admin who decides about the request.
    await server.call(admin, reports.decide, { body: { id: report?.id, decision: 'dismiss' } });
    expect(await database.$count(unsentMessages, eq(unsentMessages.chatId, chatId))).toBe(2);
  });

  test('opens the plan chat to the admin who decides it, each look audited (threat-admin-privacy)', async ({
    database,
    server,
    admin,
    members,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const imageId = await insertPicture(database, {
      ...{ ownerAccountId: creator.accountId, bucket: 'messageFiles' },
    });
    await chat.send(creator, chatId, 'See you at six', { imageId });
    const { id: recordId } = await chat.send(client, chatId, 'Pay me directly');
    await send(server, creator, { recordId, chatId });
    const report = await readOpen(server, admin, recordId);
    const look = (who: Member, id = report?.id ?? '', before?: number) =>
      server.call(who, reports.planChat, { body: { id, before } });
    const looks = () =>
      database.$count(
        auditLog,
        and(eq(auditLog.action, 'report.chat'), eq(auditLog.subject, `report:${report?.id}`)),
      );
    const seesPicture = async () => {
      const [file] = await database.select().from(files).where(eq(files.id, imageId));
      return file && fileCan.see({ accountId: admin.accountId, hiddenAccountIds: [], admin: true }, file);
    };
    expect(report).toMatchObject({ hasPlanChat: true });
    expect([await looks(), await seesPicture()]).toEqual([0, false]);

    const newest = (await look(admin)).reply.items;
    expect(newest.slice(0, 2).map(({ body }) => body)).toEqual(['Pay me directly', 'See you at six']);
    expect([await looks(), await seesPicture()]).toEqual([1, true]);
    const older = (await look(admin, report?.id, newest[0]?.sequence)).reply.items;
    expect(older[0]?.body).toBe('See you at six');
    const entries = await database.select().from(auditLog).where(eq(auditLog.action, 'report.chat'));
    expect(entries.map(({ actorAccountId }) => actorAccountId)).toEqual([admin.accountId, admin.accountId]);
    expect(JSON.stringify(entries)).not.toContain('See you');

    expect((await look(client)).problem.type).toBe('admin_only');
    expect((await look(admin, 'nothing')).problem.type).toBe('report_not_found');
    // An admin who is of the chat, or the reporter, decides nothing about it.
    await database
      .update(accountRows)
      .set({ labels: ['admin'] })
      .where(inArray(accountRows.id, [client.accountId, creator.accountId]));
    for (const party of [client, creator]) expect((await look(party)).problem.type).toBe('admin_own_record');
    expect(await looks()).toBe(2);

    // Other reports open none: neither of a message of a conversation nor of something else.
    const { ana, ben } = await members();
    const { id: conversationId } = await insertConversation(database, ana, ben);
    const sent = await server.call(ana, conversations.sendMessage, {
      body: { convoId: conversationId, body: 'Hello', imageId: null, clientKey: newId() },
    });
    await send(server, ben, { recordId: sent.reply.id, chatId: conversationId });
    await send(server, ben, { kind: 'member', recordId: ana.profileId });
    for (const about of [sent.reply.id, ana.profileId]) {
      const other = await readOpen(server, admin, about);
      expect(other).toMatchObject({ hasPlanChat: false });
      expect((await look(admin, other?.id)).problem.type).toBe('report_not_possible');
    }

    await server.call(admin, reports.decide, { body: { id: report?.id, decision: 'dismiss' } });
    expect((await look(admin)).problem.type).toBe('report_not_found');
  });

  test('keeps text and picture of one that is taken back later in a conversation, until it is decided', async ({
    database,
    platform,
    server,
    admin,
  }) => {
    const [ana, ben] = [await insertMember(database), await insertMember(database)];
    const { id: chatId } = await insertConversation(database, ana, ben);
    const picture = { ownerAccountId: ana.accountId, bucket: 'messageFiles' } as const;
    const [imageId, second, other] = [
      await insertPicture(database, picture),
      await insertPicture(database, picture),
      await insertPicture(database, picture),
    ];
    const write = async (body: string, image: string) =>
      (
        await server.call(ana, conversations.sendMessage, {
          body: { convoId: chatId, body, imageId: image, clientKey: newId() },
        })
      ).reply.id;
    const [reported, alsoReported, harmless] = [
      await write('Pay me directly', imageId),
      await write('My account number', second),
      await write('The sea', other),
    ];
    for (const recordId of [reported, alsoReported]) await send(server, ben, { recordId, chatId });
    for (const messageId of [reported, alsoReported, harmless])
      await server.call(ana, messages.unsend, { body: { chatId, messageId } });
    expect(await platform.jobs('files.remove')).toEqual([{ id: other }]);
    const seenBy = async ({ accountId }: Member, isAdmin: boolean) => {
      const [file] = await database.select().from(files).where(eq(files.id, imageId));
      return file && fileCan.see({ accountId, hiddenAccountIds: [], admin: isAdmin }, file);
    };
    const report = await readOpen(server, admin, reported);
    expect(report).toMatchObject({ hasOriginal: true, snapshot: { text: 'Pay me directly' } });
    const originals = await database.$count(unsentMessages);
    expect(await seenBy(admin, true)).toBe(false);
    const look = () => server.call(admin, reports.original, { body: { id: report?.id ?? '' } });
    expect((await look()).reply).toMatchObject({ text: 'Pay me directly', imageUrl: expect.any(String) });
    expect([await seenBy(admin, true), await seenBy(ana, false), await seenBy(ben, false)]).toEqual([
      ...[true, false, false],
    ]);
    const subject = eq(auditLog.subject, `report:${report?.id}`);
    expect(await database.$count(auditLog, and(eq(auditLog.action, 'report.original'), subject))).toBe(1);
    await server.call(admin, reports.decide, { body: { id: report?.id, decision: 'warn', note: 'No' } });
    expect((await look()).problem.type).toBe('report_not_found');
    expect(await platform.jobs('files.remove')).toEqual([{ id: other }, { id: imageId }]);
    // Those of other messages stay.
    expect(await database.$count(unsentMessages)).toBe(originals - 1);
    const left = await database.select().from(unsentMessages).where(eq(unsentMessages.chatId, chatId));
    expect(left).toMatchObject([{ body: 'My account number' }]);
  });

  test('is for the members of its chat, about the other one', async ({
    database,
    server,
    admin,
    members,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const other = await insertChat(database);
    const { ana } = await members();
    const { id: recordId } = await chatActions(server).send(client, chatId, 'Pay me directly');
    const refusals = [
      [ana, { recordId, chatId }, 'report_record_not_found'],
      [admin, { recordId, chatId }, 'report_record_not_found'],
      [other.client, { recordId, chatId: other.chatId }, 'report_record_not_found'],
      [creator, { recordId: 'nothing', chatId }, 'report_record_not_found'],
      [client, { recordId, chatId }, 'report_own_record'],
      [creator, { recordId }, 'general_argument_invalid'],
      [creator, { recordId: client.profileId, kind: 'member', chatId }, 'general_argument_invalid'],
    ] as const;
    for (const [who, form, type] of refusals)
      expect((await send(server, who, form)).problem.type, JSON.stringify(form)).toBe(type);
    expect((await send(server, creator, { recordId, chatId })).reply).toEqual({ status: 'ok' });
    expect((await send(server, creator, { recordId, chatId })).problem.type).toBe('report_already_sent');
  });

  test('is possible after blocking its writer', async ({ database, server, admin }) => {
    const { chatId, client, creator } = await insertChat(database);
    const { id } = await chatActions(server).send(client, chatId, 'Pay me directly');
    await server.call(creator, blocks.block, { body: { profileId: client.profileId } });
    expect((await send(server, creator, { recordId: id, chatId })).reply).toEqual({ status: 'ok' });
    expect(await readOpen(server, admin, id)).toMatchObject({ member: { id: client.profileId } });
  });
});
