import { allCalls } from '@tara/contract/all';
import { nowDate } from '@tara/contract/clock';
import { interactions } from '@tara/contract/interactions/interactions';
import { profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { ignoredFields, payloadOf } from '@tara/contract/wire/payloads';
import { describe, expect } from 'vitest';
import { safeParse } from 'zod/mini';
import { conversationRoutes } from './features/conversations/index.ts';
import { interactionRoutes } from './features/interactions/index.ts';
import { messageRoutes } from './features/messages/index.ts';
import { escrowRoutes } from './features/payments/routes.ts';
import { planRoutes } from './features/plans/index.ts';
import { postRoutes } from './features/posts/index.ts';
import { profileRoutes } from './features/profiles/index.ts';
import { receiptRoutes } from './features/receipts/index.ts';
import { reviewRoutes } from './features/reviews/index.ts';
import { verificationRoutes } from './features/verification/index.ts';
import { encryptedStore } from './platform/files/encrypted.ts';
import { newId } from './platform/ids.ts';
import { insertCapture } from './testing/features/captures.ts';
import { insertConversation } from './testing/features/conversations.ts';
import { insertInteraction, insertPlan } from './testing/features/interactions.ts';
import { insertMember, type Member } from './testing/features/members.ts';
import { insertPicture, pictureBytes } from './testing/features/pictures.ts';
import { insertChat } from './testing/features/receipts.ts';
import { confirmed, fulfilled } from './testing/features/reviews.ts';
import { key } from './testing/features/verification.ts';
import { type FixturesOf, serverTest } from './testing/test.ts';

const test = serverTest((app, platform) => {
  profileRoutes(app, platform);
  verificationRoutes(app, platform, key);
  postRoutes(app, platform);
  planRoutes(app, platform);
  interactionRoutes(app, platform);
  escrowRoutes(app, platform);
  receiptRoutes(app, platform);
  conversationRoutes(app, platform);
  messageRoutes(app, platform);
  reviewRoutes(app, platform);
})
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben', verified: true }))
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  /** Whom the payloads name in fields that the server knows better. */
  .extend('other', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Cora' }))
  .extend(
    'upload',
    ({ database, platform }) =>
      async (owner: Member, bucket: 'images' | 'verificationFiles' = 'images') => {
        const id = await insertPicture(database, { ownerAccountId: owner.accountId, bucket });
        if (bucket === 'verificationFiles')
          await encryptedStore(platform.files, key).put(`${id}/original`, await pictureBytes());
        return id;
      },
  )
  .extend('published', ({ server, upload }) => async (owner: Member) => {
    const body = { caption: 'Hi', location: '', tags: '', imageId: await upload(owner) };
    return (await server.call(owner, posts.create, { body })).reply;
  })
  .extend('planId', ({ database, ana }) => insertPlan(database, ana))
  .extend(
    'requested',
    ({ database, ana, ben, planId }) =>
      async (state: Parameters<typeof insertInteraction>[2] = {}) => {
        const interactionId = await insertInteraction(database, { creator: ana, client: ben, planId }, state);
        if (state.paidAt) await insertCapture(database, interactionId, 250_00);
        return { interactionId, planId };
      },
  )
  .extend('world', ({ server, database, ana, ben, admin, other, upload, published, planId, requested }) => ({
    ...{ server, database, ana, ben, admin, other, upload, published, planId, requested },
  }));

type World = FixturesOf<typeof test>['world'];
const terms = 'We meet in a public place and share the bill.';
const imageUrl = 'https://elsewhere.example/picture.jpg';
/** What JSON makes of a picture. */
const file = {};

/**
 * The payloads of §7, each field as §7 writes it. Fields that the server knows better carry what would harm if it were read:
 * another member, another price. The reply has what is true instead.
 */
const payloads: Record<
  string,
  (
    world: World,
  ) => Promise<{ call: Parameters<World['server']['call']>[1]; who: Member; body: object; is: object }>
> = {
  'update about profile (§7-update-about)': async ({ database, other }) => {
    const who = await insertMember(database, { workingAs: 'Nurse' });
    const texts = { bio: 'Hello', gender: 'Female', education: 'UP', lookingFor: 'friends', hobby: 'chess' };
    const phoneNumber = '0917 123 4567';
    return {
      call: profiles.updateAbout,
      who,
      body: { ...texts, phoneNumber, birthDate: '2000-01-01', userId: other.profileId },
      is: { ...texts, id: who.profileId, phoneNumber, bDay: '2000-01-01', workingAs: 'Nurse' },
    };
  },
  'create verification request (§7-create-verification)': async ({ database, upload, other }) => {
    const who = await insertMember(database);
    const [idFrontId, idBackId, photoId] = [
      await upload(who, 'verificationFiles'),
      await upload(who, 'verificationFiles'),
      await upload(who, 'verificationFiles'),
    ];
    return {
      call: verification.send,
      who,
      body: {
        ...{ idFront: file, idBack: file, photo: file, address: '1 Mabini Street, Cebu' },
        ...{ userId: other.profileId, accountId: other.accountId },
        ...{ idFrontId, idBackId, photoId },
      },
      is: { status: 'ok' },
    };
  },
  'create post (§7-create-post)': async ({ ana, other, upload }) => {
    const imageId = await upload(ana);
    return {
      call: posts.create,
      who: ana,
      body: {
        ...{ caption: 'Sunset', file, location: 'Cebu', tags: 'beach, sun set' },
        ...{ userId: other.profileId, accountId: other.accountId, imageId },
      },
      is: { creatorId: ana.profileId, caption: 'Sunset', tags: ['beach', 'sunset'], picture: { imageId } },
    };
  },
  'update post (§7-update-post)': async ({ ana, other, published }) => {
    const { id: postId, picture } = await published(ana);
    return {
      call: posts.update,
      who: ana,
      body: {
        ...{
          caption: 'Sunrise',
          file,
          location: 'Bohol',
          tags: 'sea',
          postId,
          imageId: picture.imageId,
          imageUrl,
        },
        ...{ userId: other.profileId, accountId: other.accountId },
      },
      is: { id: postId, creatorId: ana.profileId, caption: 'Sunrise', location: 'Bohol', picture },
    };
  },
  'update post without a picture (§7-update-post)': async ({ ana, published }) => {
    const { id: postId, picture } = await published(ana);
    return {
      call: posts.update,
      who: ana,
      body: { caption: 'Sunrise', location: '', tags: '', postId, imageId: '', imageUrl: '' },
      is: { caption: 'Sunrise', picture },
    };
  },
  'quick post (§7-quick-post)': async ({ ana, other }) => ({
    call: posts.quick,
    who: ana,
    body: { caption: 'Hello', creator: other.profileId },
    is: { caption: 'Hello', creatorId: ana.profileId, usedDp: true },
  }),
  'delete post (§7-delete-post)': async ({ ana, published, upload }) => ({
    call: posts.delete,
    who: ana,
    body: { postId: (await published(ana)).id, imageId: await upload(ana) },
    is: { status: 'ok' },
  }),
  'like (§7-like)': async ({ ana, ben, other, published }) => ({
    call: posts.like,
    who: ben,
    body: { postId: (await published(ana)).id, userId: other.profileId, totalLikes: 900 },
    is: { status: 'ok', totalLikes: 1, liked: true },
  }),
  'unlike (§7-unlike)': async ({ ana, ben, published }) => ({
    call: posts.unlike,
    who: ben,
    body: { likedId: newId(), postId: (await published(ana)).id, totalLikes: -1 },
    is: { status: 'ok', totalLikes: 0, liked: false },
  }),
  'post/updateLikes (§7-api-post-likes)': async ({ ana, ben, published }) => ({
    call: posts.updateLikes,
    who: ben,
    body: { postId: (await published(ana)).id, totalLikes: 900 },
    is: { status: 'ok', totalLikes: 0 },
  }),
  'save (§7-save)': async ({ ana, ben, other, published }) => ({
    call: posts.save,
    who: ben,
    body: { postId: (await published(ana)).id, userId: other.profileId },
    is: { status: 'ok' },
  }),
  'create plan (§7-create-plan)': async ({ ana, other, upload }) => {
    const words = { title: 'Coffee', desc: 'An hour of talk.', time: '3-4 pm', terms };
    const imageId = await upload(ana);
    return {
      call: plans.create,
      who: ana,
      body: {
        ...{ ...words, price: '250', file, imageId },
        ...{ imageCover: imageUrl, userId: other.profileId, totalPlan: -100 },
      },
      is: { ...words, price: 250, cover: { imageId }, creator: { id: ana.profileId } },
    };
  },
  'plan/createInteraction (§7-api-create-interaction)': async ({ ana, ben, other, planId }) => ({
    call: interactions.createInteraction,
    who: ben,
    body: {
      ...{
        planId,
        plan: newId(),
        whoSentReq: other.profileId,
        creator: other.profileId,
        price: 1,
        paid: true,
      },
      ...{ paymentId: 'pay_1', referenceNumber: 'abc1234', checkoutUrl: imageUrl, webhookId: 'hook_1' },
      ...{ planTitle: 'Free', conversationReceipt: 'x', creatorAccountId: other.accountId },
      clientAccountId: other.accountId,
    },
    is: {
      ...{
        status: 'success',
        planId,
        planTitle: 'Coffee in Makati',
        price: 250,
        paid: false,
        paymentId: null,
      },
      ...{ referenceNumber: null, checkoutUrl: null, webhookId: null, conversationReceipt: null },
      ...{ creatorAccountId: ana.accountId, clientAccountId: ben.accountId },
      ...{ whoSentReq: { id: ben.profileId }, creator: { id: ana.profileId } },
    },
  }),
  'plan/createConversationReceipt (§7-api-create-receipt)': async ({ ana, ben, other, requested }) => {
    const state = { paidAt: nowDate(), referenceNumber: newId().slice(0, 7) };
    const { interactionId } = await requested(state);
    return {
      call: receipts.createConversationReceipt,
      who: ben,
      body: {
        ...{ convoId: 'chosen', interactionId },
        ...{ creatorAccountId: other.accountId, clientAccountId: other.accountId },
      },
      is: {
        id: ana.profileId.slice(0, 5) + ben.profileId.slice(0, 5) + state.referenceNumber,
        ...{ interactionId, creatorAccountId: ana.accountId, clientAccountId: ben.accountId },
      },
    };
  },
  'plan/sendMessage (§7-api-send-receipt-message)': async ({ database, other }) => {
    const { creator, client, chatId } = await insertChat(database);
    return {
      call: receipts.sendMessage,
      who: client,
      body: {
        ...{ name: 'Somebody else', conversation: chatId, message: 'Hello', userId: other.profileId },
        ...{ imageUrl: '', imageId: '', accountId1: creator.accountId, accountId2: client.accountId },
      },
      is: {
        status: 'success',
        chatId,
        userId: client.profileId,
        name: client.name,
        body: 'Hello',
        picture: null,
      },
    };
  },
  'message/createConversation (§7-api-create-conversation)': async ({ ana, ben, other }) => ({
    call: conversations.createConversation,
    who: ana,
    body: {
      ...{ creator1: ana.profileId, creator2: ben.profileId },
      ...{ userId1: other.accountId, userId2: other.accountId },
    },
    is: { mixId: ana.accountId + ben.accountId, person: { id: ben.profileId } },
  }),
  'message/sendMessage (§7-api-send-message)': async ({ database, ana, ben, other }) => {
    const { id, mixId } = await insertConversation(database, ana, ben);
    return {
      call: conversations.sendMessage,
      who: ana,
      body: {
        ...{
          creator: other.profileId,
          body: 'Hello',
          convoId: id,
          conversation: newId(),
          imageId: '',
          imageUrl: '',
        },
        ...{ mixId, accountId1: ana.accountId, accountId2: ben.accountId },
      },
      is: { status: 'success', chatId: id, userId: ana.profileId, body: 'Hello', picture: null },
    };
  },
  'send messages (§7-send-message)': async ({ database, ana, ben, other }) => {
    const { id, mixId } = await insertConversation(database, ana, ben);
    return {
      call: conversations.sendMessage,
      who: ana,
      body: {
        ...{ userId: other.profileId, message: 'Hello', imageUrl: '', imageId: '' },
        ...{ accountId1: ana.accountId, accountId2: ben.accountId, mixId },
      },
      is: { status: 'success', chatId: id, userId: ana.profileId, body: 'Hello', picture: null },
    };
  },
  'send messages without what is optional (§7-send-message)': async ({ database, ana, ben }) => {
    const { id } = await insertConversation(database, ana, ben);
    return {
      call: conversations.sendMessage,
      who: ben,
      body: {
        ...{ userId: ben.profileId, message: 'Hello', accountId1: ben.accountId, accountId2: ana.accountId },
        mixId: ben.accountId + ana.accountId,
      },
      is: { status: 'success', chatId: id, userId: ben.profileId, body: 'Hello', picture: null },
    };
  },
  'delete message (§7-delete-message)': async ({ server, database, ana, ben, upload }) => {
    const { id: chatId } = await insertConversation(database, ana, ben);
    const body = { convoId: chatId, body: 'Hello' };
    const { reply } = await server.call(ana, conversations.sendMessage, { body });
    return {
      call: messages.unsend,
      who: ana,
      body: { chatId, messageId: reply.id, imageId: await upload(ana) },
      is: { id: reply.id, body: 'message unsent', unsent: true },
    };
  },
  'create review (§7-create-review)': async ({ ana, ben, other, requested, upload }) => {
    const { interactionId, planId } = await requested(confirmed);
    return {
      call: reviews.create,
      who: ben,
      body: {
        ...{ caption: 'A lovely hour.', file, location: 'Makati', interactionId, userId: other.profileId },
        ...{ ownerId: other.profileId, planId: newId(), stars: 9, userAccountId: other.accountId },
        imageIds: [await upload(ben)],
      },
      is: { creatorId: ben.profileId, ownerId: ana.profileId, planId, stars: 9, photos: [{}] },
    };
  },
  'create comment (§7-create-comment)': async ({ server, ana, ben, other, requested }) => {
    const { interactionId } = await requested(confirmed);
    const review = { caption: 'A lovely hour.', location: '', stars: 9, interactionId };
    const { reply } = await server.call(ben, reviews.create, { body: review });
    return {
      call: reviews.createComment,
      who: ana,
      body: {
        ...{ reviewId: reply.id, body: 'Thank you', creator: other.profileId, creatorId: other.profileId },
        creatorAccountId: other.accountId,
      },
      is: { comment: { reviewId: reply.id, creatorId: ana.profileId, body: 'Thank you' }, totalComments: 1 },
    };
  },
  'admin/confirmPlans (§7-api-confirm-plans)': async ({ admin, other, requested }) => ({
    call: adminCalls.confirmPlans,
    who: admin,
    body: {
      ...{ id: other.accountId, id2: other.accountId, creatorId: other.profileId, clientId: other.profileId },
      interactionId: (await requested({ ...fulfilled, userSetDoneAt: new Date(0) })).interactionId,
    },
    is: { status: 'ok' },
  }),
};

describe('a payload of §7 is accepted as §7 writes it, and what the server knows better changes nothing', () => {
  test.for(Object.entries(payloads))('%s', async ([, payload], { server, world }) => {
    const { call, who, body, is } = await payload(world);
    const { reply } = await server.call(who, call, { body });
    expect(reply).toMatchObject(is);
  });
});

test('the product’s own API is below /api/ (§7-api-base)', async ({ server, ana }) => {
  const paths = [
    'post/updateLikes',
    'message/sendMessage',
    'plan/createConversationReceipt',
    'plan/sendMessage',
  ];
  const statuses = (base: string) =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await server.request(ana, { method: 'POST', url: `${base}${path}`, payload: {} });
        return answer.statusCode;
      }),
    );
  expect(await statuses('/api/')).toEqual([400, 400, 400, 400]);
  expect(await statuses('/')).toEqual([404, 404, 404, 404]);
});

/** What no payload of §7 sets, because it decides about money, trust or counts (decisions §2). */
test.for([
  ['plan/create', plans.create, { earned: 1 }],
  ['plan/create', plans.create, { limitedPlan: 100 }],
  ['profile/updateAbout', profiles.updateAbout, { verified: true }],
  ['profile/updateAbout', profiles.updateAbout, { limitedPlan: 100 }],
  ['plan/createInteraction', interactions.createInteraction, { accepted: true }],
  ['plan/createInteraction', interactions.createInteraction, { adminSetDone: true }],
  ['plan/createInteraction', interactions.createInteraction, { completed: true }],
  ['post/create', posts.create, { totalLikes: 100 }],
  ['review/create', reviews.create, { totalLikes: 100 }],
] as const)('$0 refuses $2 by name', async ([, call, field], { server, ana }) => {
  const { problem } = await server.call(ana, call, { body: field });
  const [name = ''] = Object.keys(field);
  expect(problem).toMatchObject({ code: 400, status: 'error' });
  expect(problem.fields?.[name]).toBe('is not a field of this call');
});

const byPath = new Map(
  Object.values(allCalls).flatMap((calls) => Object.values(calls).map((call) => [call.path, call])),
);

test.for(Object.entries(ignoredFields))('%s never reads %s', ([path, names]) => {
  const call = byPath.get(path) ?? expect.fail(`${path} is no call`);
  const fail = () => {
    throw new Error('was read');
  };
  const trap = new Proxy({}, { get: fail, ownKeys: fail, has: fail, getPrototypeOf: fail });
  const { error } = safeParse(payloadOf(call), Object.fromEntries(names.map((name) => [name, trap])));
  // What is missing is refused, and nothing of what is ignored.
  const refused =
    error?.issues.flatMap((issue) => [...issue.path, ...('keys' in issue ? issue.keys : [])]) ?? [];
  expect(refused).not.toEqual([]);
  expect(refused.filter((name) => names.includes(String(name)))).toEqual([]);
});

test.for([
  ['a like without a post (§5-like-ids)', posts.like, 'postId'],
  ['a like without a review (§5-like-ids)', reviews.like, 'reviewId'],
  ['a receipt without a request (§5-receipt-ids)', receipts.createConversationReceipt, 'interactionId'],
  [
    'a cancellation without a request (§5-delete-interaction-id)',
    interactions.cancelRequest,
    'interactionId',
  ],
  ['a card without a request (§5-card-down-id)', interactions.cardDown, 'interactionId'],
] as const)('%s is refused by the name of the id', async ([, call, id], { server, ana }) => {
  const { problem } = await server.call(ana, call, { body: {} });
  expect([problem.code, Object.keys(problem.fields ?? {})]).toEqual([400, [id]]);
});

test('a message goes to the conversation of its convoId, else of its mixId, and only to one’s own', async ({
  server,
  database,
  ana,
  ben,
  other,
}) => {
  const [{ id, mixId }, elsewhere] = [
    await insertConversation(database, ana, ben),
    await insertConversation(database, ben, other),
  ];
  const send = (body: object) => server.call(ana, conversations.sendMessage, { body } as never);
  const both = { convoId: id, mixId: elsewhere.mixId, body: 'Body', message: 'Message' };
  expect((await send(both)).reply).toMatchObject({ chatId: id, body: 'Body' });
  for (const unread of ['', 'x'])
    expect((await send({ ...both, mixId: unread })).reply).toMatchObject({ chatId: id });
  expect((await send({ mixId: elsewhere.mixId, message: 'Hi' })).problem.type).toBe('conversation_not_found');
  for (const named of [{}, { mixId: '' }])
    expect(Object.keys((await send({ ...named, message: 'Hi' })).problem.fields ?? {})).toEqual(['convoId']);
  for (const content of [{}, { message: ' ' }, { body: '', message: 'Hi' }])
    expect(Object.keys((await send({ mixId, ...content })).problem.fields ?? {})).toEqual(['body']);
});

test('a file that is named by a text is refused with the way to send it, not lost', async ({
  server,
  ana,
  upload,
}) => {
  const body = { caption: 'Hi', location: '', tags: '', file: await upload(ana) };
  const { problem } = await server.call(ana, posts.update, { body: { ...body, postId: newId() } });
  expect(problem.fields).toEqual({ file: 'Upload the file first, and send its id instead.' });
});
