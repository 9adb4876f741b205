import { disputeMessageLimit, disputeMessagesOffered } from '@tara/contract/limits';
import { addableMessages, disputes as calls, requestCases } from '@tara/contract/money/disputes';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { chatActions } from '../../testing/features/chats.ts';
import { ago, disputeTest as base } from '../../testing/features/disputes.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { fileCan } from '../files/policy.ts';
import { files } from '../files/tables.ts';
import { messageStore } from '../messages/store.ts';
import { notifications } from '../notifications/index.ts';
import { disputeMessages, disputePhotos } from './tables.ts';

const test = base.extend('chat', ({ server }) => chatActions(server));

describe('a dispute', () => {
  test('holds both stories, which both parties and an admin read, and waits in the admins’ list (threat-admin-privacy)', async ({
    database,
    server,
    client,
    creator,
    stranger,
    admin,
    held,
    open,
    answer,
  }) => {
    const id = await held({ creatorMetAt: ago(3) });
    const photo = await insertPicture(database, { ownerAccountId: client.accountId });
    // Another dispute of the two, with a photo of its own.
    const other = await held();
    const otherPhoto = await insertPicture(database, { ownerAccountId: client.accountId });
    await open(other, client, { imageIds: [otherPhoto] });
    const opened = await open(id, client, { imageIds: [photo] });
    expect(opened.reply).toMatchObject({
      request: { stage: 'disputed', disputed: true },
      dispute: { reason: 'absent', client: { text: 'Nobody came.', photos: [{ imageId: photo }] } },
      decision: null,
    });
    expect((await answer(id)).reply.dispute?.creator).toMatchObject({ text: 'I waited.', photos: [] });
    for (const who of [client, creator, admin]) {
      const { reply } = await server.call(who, calls.get, { params: { id } });
      expect(reply.dispute).toMatchObject({
        client: { text: 'Nobody came.' },
        creator: { text: 'I waited.' },
      });
    }
    const unanswered = await server.call(client, calls.get, { params: { id: other } });
    expect(unanswered.reply.dispute).toMatchObject({
      client: { photos: [{ imageId: otherPhoto }] },
      creator: null,
    });
    const { problem } = await server.call(stranger, calls.get, { params: { id } });
    expect(problem.type).toBe('interaction_not_found');
    const { items } = (await server.call(admin, requestCases.disputes)).reply;
    expect(items.find((item) => item.id === id)).toMatchObject({
      steps: ['paid', 'accepted', 'dayWithoutAgreement', 'creatorMet', 'requested', 'disputed'].map((step) =>
        expect.objectContaining({ step }),
      ),
      dispute: { client: { photos: [{ imageId: photo }] } },
    });
    const [file] = await database.select().from(files).where(eq(files.id, photo));
    const sees = ({ accountId }: Member, isAdmin = false) =>
      file && fileCan.see({ accountId, hiddenAccountIds: [], admin: isAdmin }, file);
    expect([sees(client), sees(creator), sees(admin, true), sees(stranger)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const rows = await database.select().from(notifications).where(eq(notifications.interactionId, id));
    expect(
      rows
        .map(({ event, profileId }) => `${event} ${profileId === client.profileId ? 'client' : 'creator'}`)
        .sort(),
    ).toEqual(['disputeAnswered client', 'disputed client', 'disputed creator']);
  });

  test.for([
    ['by the creator', {}, 'Only the client can open a dispute.', 'creator'],
    ['before the payment', { paidAt: null }, 'The request is not paid yet.', 'client'],
    [
      'later than 48 hours after fulfilment',
      { userSetDoneAt: ago(49) },
      'A dispute can be opened until 48 hours after the plan was fulfilled.',
      'client',
    ],
    [
      'of a free plan',
      { priceCentavos: 0 },
      'This plan is free: there is no money to decide about.',
      'client',
    ],
    [
      'while the card issuer disputes the payment',
      { frozenAt: ago(1) },
      'The card issuer disputes this payment. Nothing can be decided until it answers.',
      'client',
    ],
    [
      'after the confirmation',
      { userSetDoneAt: ago(3), adminSetDoneAt: ago(1), completedAt: ago(1) },
      'This plan is completed.',
      'client',
    ],
    ['a second time', { disputedAt: ago(1) }, 'There is an open dispute. An admin decides it.', 'client'],
  ] as const)('cannot be opened %s', async ([, state, text, who], { database, members, open }) => {
    const { creator, client } = members;
    const planId = await insertPlan(database, creator);
    const id = await insertInteraction(
      database,
      { creator, client, planId },
      {
        ...{ paidAt: ago(9), acceptedAt: ago(8) },
        ...state,
      },
    );
    const { problem } = await open(id, members[who]);
    expect(problem).toMatchObject({ type: 'interaction_not_allowed', text });
  });

  test('is possible until 48 hours after fulfilment, and before the creator accepted', async ({
    held,
    open,
  }) => {
    expect((await open(await held({ userSetDoneAt: ago(47) }))).status).toBe(200);
    expect((await open(await held({ acceptedAt: null, dayStartsAt: null }))).status).toBe(200);
  });

  test('refuses what is not a story, photos of others and a second answer', async ({
    database,
    creator,
    client,
    held,
    open,
    answer,
  }) => {
    const id = await held();
    const foreign = await insertPicture(database, { ownerAccountId: creator.accountId });
    expect((await open(id, client, { imageIds: [foreign] })).problem.type).toBe('storage_file_not_found');
    expect((await open(id, client, { story: ' ' })).problem.fields).toEqual({
      story: 'Please say what happened.',
    });
    expect((await answer(id)).problem.type).toBe('interaction_not_allowed');
    expect((await open(id)).status).toBe(200);
    expect((await answer(id, client)).problem.text).toBe('Only the creator answers.');
    const answers = await Promise.all([answer(id), answer(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem.text).toBe(
      'You already answered this dispute.',
    );
    expect(await database.$count(disputePhotos, eq(disputePhotos.interactionId, id))).toBe(0);
  });
});

describe('messages of the plan chat', () => {
  test('are copied into a dispute by who wrote them, and stay when they are unsent (threat-admin-privacy)', async ({
    server,
    client,
    creator,
    stranger,
    admin,
    chat,
    held,
    open,
    answer,
    openChat,
  }) => {
    const id = await held();
    const chatId = await openChat(id);
    const first = await chat.send(client, chatId, 'I am here.');
    const second = await chat.send(client, chatId, 'Where are you?');
    const late = await chat.send(creator, chatId, 'I come at six.');
    // Another dispute of the two, with a message of its own.
    const other = await held();
    const elsewhere = await chat.send(client, await openChat(other), 'It rains.');
    await open(other, client, { messageIds: [elsewhere.id] });
    await open(id, client, { messageIds: [second.id, first.id] });
    const { reply: answered } = await answer(id, creator, { messageIds: [late.id] });
    const sent = ({ id, body, createdAt }: typeof first) => ({ id, text: body, sentAt: createdAt });
    expect(answered.dispute?.client.messages).toEqual([first, second].map(sent));
    await chat.unsend(client, chatId, first.id);
    await chat.unsend(creator, chatId, late.id);
    for (const who of [client, creator, admin]) {
      const { reply } = await server.call(who, calls.get, { params: { id } });
      expect(reply.dispute).toMatchObject({
        client: { messages: [first, second].map(sent) },
        creator: { messages: [sent(late)] },
      });
    }
    const { items } = (await server.call(admin, requestCases.disputes)).reply;
    expect(items.find((item) => item.id === id)?.dispute?.creator?.messages).toEqual([sent(late)]);
    const { problem } = await server.call(stranger, calls.get, { params: { id } });
    expect(problem.type).toBe('interaction_not_found');
  });

  test('of somebody else, of another chat, unsent, without a text or unknown are refused, and nothing is stored (threat-admin-privacy)', async ({
    database,
    server,
    client,
    creator,
    chat,
    held,
    open,
    answer,
    openChat,
  }) => {
    const id = await held();
    const withoutChat = await held();
    const chatId = await openChat(id);
    const other = await openChat(await held());
    const own = await chat.send(client, chatId, 'I am here.');
    const theirs = await chat.send(creator, chatId, 'I come at six.');
    const elsewhere = await chat.send(client, other, 'I am here.');
    const unsent = await chat.send(client, chatId, 'Wrong chat');
    await chat.unsend(client, chatId, unsent.id);
    const imageId = await insertPicture(database, {
      ownerAccountId: client.accountId,
      bucket: 'messageFiles',
    });
    const picture = await chat.send(client, chatId, '', { imageId });
    const refused = { type: 'general_argument_invalid', fields: { messageIds: addableMessages } };
    for (const wrong of [theirs.id, elsewhere.id, unsent.id, picture.id, 'unknown'])
      expect((await open(id, client, { messageIds: [own.id, wrong] })).problem).toMatchObject(refused);
    expect((await open(withoutChat, client, { messageIds: [own.id] })).problem).toMatchObject(refused);
    const more = Array.from({ length: disputeMessageLimit + 1 }, (_, index) => `id${index}`);
    expect((await open(id, client, { messageIds: more })).problem.fields).toEqual({
      messageIds: 'At most 10 messages.',
    });
    expect((await open(id, client, { messageIds: [own.id, own.id] })).problem.fields).toEqual({
      messageIds: 'Each message only once.',
    });
    const { reply } = await server.call(client, calls.get, { params: { id } });
    expect([reply.dispute, reply.request.disputed]).toEqual([null, false]);
    expect((await open(id)).status).toBe(200);
    expect((await answer(id, creator, { messageIds: [own.id] })).problem).toMatchObject(refused);
    const unanswered = await server.call(client, calls.get, { params: { id } });
    expect(unanswered.reply.dispute?.creator).toBeNull();
    expect(await database.$count(disputeMessages, eq(disputeMessages.interactionId, id))).toBe(0);
  });

  test('of a side are offered to it alone, as long as it can add them', async ({
    database,
    server,
    client,
    creator,
    stranger,
    admin,
    chat,
    held,
    open,
    answer,
    openChat,
  }) => {
    const id = await held();
    const offered = async (who: Member, of = id) =>
      (await server.call(who, calls.ownMessages, { params: { id: of } })).reply.items.map(({ text }) => text);
    expect(await offered(client)).toEqual([]);
    const chatId = await openChat(id);
    await chat.send(client, chatId, 'I am here.');
    const unsent = await chat.send(client, chatId, 'Wrong chat');
    await chat.unsend(client, chatId, unsent.id);
    const imageId = await insertPicture(database, {
      ownerAccountId: client.accountId,
      bucket: 'messageFiles',
    });
    await chat.send(client, chatId, 'This is the place.', { imageId });
    await chat.send(creator, chatId, 'I come at six.');
    expect(await offered(client)).toEqual(['This is the place.', 'I am here.']);
    // No dispute is open yet.
    expect(await offered(creator)).toEqual([]);
    await open(id);
    expect([await offered(client), await offered(creator), await offered(admin)]).toEqual([
      [],
      ['I come at six.'],
      [],
    ]);
    await answer(id);
    expect(await offered(creator)).toEqual([]);
    const { problem } = await server.call(stranger, calls.ownMessages, { params: { id } });
    expect(problem.type).toBe('interaction_not_found');
  });

  test('are offered however much the other one writes: the newest 50, with what is older', async ({
    database,
    server,
    client,
    creator,
    chat,
    held,
    openChat,
  }) => {
    const id = await held();
    const chatId = await openChat(id);
    const store = messageStore(database);
    const write = (member: Member, count: number) =>
      store(
        Array.from({ length: count }, (_, index) => ({
          ...{
            chatId,
            userId: member.profileId,
            name: 'Ana',
            body: `${index}`,
            picture: null,
            replyTo: null,
          },
          clientKey: `draft ${index}`,
        })),
      );
    await write(client, disputeMessagesOffered);
    await write(creator, 300);
    const offered = async () => {
      const { reply } = await server.call(client, calls.ownMessages, { params: { id } });
      return [reply.items.length, reply.items[0]?.text, reply.hasMore];
    };
    expect(await offered()).toEqual([50, '49', false]);
    await chat.send(client, chatId, 'I am here.');
    expect(await offered()).toEqual([50, 'I am here.', true]);
  });
});
