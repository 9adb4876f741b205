import { nowDate } from '@tara/contract/clock';
import type { CollectionId } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { profiles } from '../../features/profiles/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed } from '../../testing/features/reviews.ts';

const [[, openSdk]] = sdks;

/** One document of each collection, as one of its readers gets it. */
const test = documentsTest().extend(
  'documents',
  { scope: 'file' },
  async ({ backend, database, ana, ben }) => {
    for (const { profileId } of [ana, ben])
      await database
        .update(profiles)
        .set({ verified: true, birthDate: '1995-06-15' })
        .where(eq(profiles.id, profileId));
    const [asAna, asBen] = [openSdk(backend.url, ana), openSdk(backend.url, ben)];
    const images = (bucket: 'images' | 'verificationFiles' = 'images') =>
      insertPicture(database, { ownerAccountId: ana.accountId, bucket, variants: [] });
    const post = await asAna.create('posts', newId(), { caption: 'Hello', tags: 'sea, #sun set' });
    const terms = 'We meet in a public place and share the bill.';
    const offer = { title: 'Coffee', desc: '', time: '3 pm', price: 250, terms, imageId: await images() };
    const plan = await asAna.create('plans', newId(), offer);
    const request = await asBen.create('planInteractions', newId(), { planId: plan.$id });
    const parties = { creator: ana, client: ben, planId: await insertPlan(database, ana) };
    const now = nowDate();
    const paidId = await insertInteraction(database, parties, { paidAt: now, acceptedAt: now });
    const receipt = await asBen.create('conversationReceipts', newId(), { interactionId: paidId });
    const note = { conversationReceiptId: receipt.$id, body: 'On my way' };
    const conversation = await asAna.create('conversations', newId(), {
      creators: [ana.profileId, ben.profileId],
    });
    const cora = { address: '1 Mabini Street, Cebu' };
    await database.update(profiles).set({ verified: null }).where(eq(profiles.id, ana.profileId));
    const verification = await asAna.create('verifying', newId(), {
      ...{ idFrontId: await images('verificationFiles'), idBackId: await images('verificationFiles') },
      ...{ photoId: await images('verificationFiles'), ...cora },
    });
    const interactionId = await insertInteraction(database, parties, confirmed);
    const words = { interactionId, caption: 'A lovely hour.', location: '', stars: 9 };
    const review = await asBen.create('reviews', newId(), words);
    return {
      users: await asAna.get('users', ana.profileId),
      posts: post,
      plans: plan,
      planInteractions: request,
      likedPosts: await asBen.create('likedPosts', newId(), { postId: post.$id }),
      likedReviews: await asAna.create('likedReviews', newId(), { reviewId: review.$id }),
      saves: await asBen.create('saves', newId(), { postId: post.$id }),
      reviews: review,
      reviewComments: await asAna.create('reviewComments', newId(), { reviewId: review.$id, body: 'Thanks' }),
      conversations: conversation,
      conversationOwners: await asAna.get('conversationOwners', ana.profileId),
      chats: await asAna.create('chats', newId(), { convoId: conversation.$id, body: 'Hi' }),
      chatReceipts: await asBen.create('chatReceipts', newId(), note),
      conversationReceipts: receipt,
      verifying: verification,
      friendLists: await asAna.get('friendLists', ana.profileId),
    } satisfies Record<CollectionId, object>;
  },
);

/** The fields of §3; `id` is `$id`, and when it was created or updated is `$createdAt` and `$updatedAt`. */
const fields: [title: string, CollectionId, fields: string][] = [
  [
    'a user profile (§3-user-profile)',
    'users',
    'accountId name username email phoneNumber imageUrl imageId bio sentVerifiedReq verified lookingFor education hobby gender bDay limitedPlan totalPlan totalInteraction',
  ],
  [
    'a post (§3-post)',
    'posts',
    'creator creatorId caption imageUrl imageId location tags totalLikes usedDp stars',
  ],
  ['a plan (§3-plan)', 'plans', 'creator title desc time price imageId imageCover terms earned'],
  [
    'a plan interaction (§3-plan-interaction)',
    'planInteractions',
    'planId plan whoSentReq creator price paid paymentId referenceNumber checkoutUrl webhookId planTitle conversationReceipt haveConvoReceipt accepted userSetDone adminSetDone completed cardDown reviewSubmitted creatorAccountId clientAccountId',
  ],
  ['a liked post (§3-liked-post)', 'likedPosts', 'whoLiked postId'],
  ['a liked review (§3-liked-review)', 'likedReviews', 'whoLiked reviewId'],
  ['a save (§3-save)', 'saves', 'postId userId post'],
  [
    'a review (§3-review)',
    'reviews',
    'creator creatorId owner ownerId plan caption imageUrl imageId location stars tags',
  ],
  ['a review comment (§3-review-comment)', 'reviewComments', 'reviewId creator creatorId body'],
  [
    'a conversation (§3-conversation)',
    'conversations',
    'mixId creators accountIds expiration removeExpired preview',
  ],
  ['a chat message (§3-chat-message)', 'chats', 'creator body convoId mixId imageUrl imageId chatId name'],
  [
    'a chat receipt (§3-chat-receipt)',
    'chatReceipts',
    'conversationReceiptId body imageUrl imageId name userId',
  ],
  [
    'a conversation receipt (§3-conversation-receipt)',
    'conversationReceipts',
    'convoId interactionId creatorAccountId clientAccountId',
  ],
  [
    'a verification request (§3-verification-request)',
    'verifying',
    'userId creator idFront idFrontId idBack idBackId photo photoId address valid',
  ],
  ['a friend list (§3-friend-list)', 'friendLists', 'owner'],
];

describe('a document has the fields of its entity', () => {
  test.for(fields)('%s', ([, collection, names], { documents }) => {
    const document = documents[collection];
    const system = ['$id', '$createdAt', '$updatedAt'];
    expect([...system, ...names.split(' ')].filter((name) => !(name in document))).toEqual([]);
  });
});

test('every document carries $id, in all collections (§3-documents-id, §3-collections)', ({ documents }) => {
  expect(Object.keys(documents)).toHaveLength(16);
  for (const document of Object.values(documents)) expect(document.$id).toMatch(/^[\w.-]+$/);
});

test('the creator of a post is an object with id, name, imageId and imageUrl (§3-post-creator)', ({
  documents,
}) => {
  expect(documents.posts.creator).toMatchObject({ name: 'Ana Cruz' });
  for (const name of ['$id', 'imageId', 'imageUrl']) expect(documents.posts.creator).toHaveProperty(name);
});

test('the tags of a post are a list built from a comma-separated string with spaces removed (§3-post-tags)', ({
  documents,
}) => {
  expect(documents.posts.tags).toEqual(['sea', 'sunset']);
});

test('a save has the post with its creator (§3-save-post)', ({ documents, ana }) => {
  expect(documents.saves.post).toMatchObject({
    $id: documents.posts.$id,
    creator: { $id: ana.profileId },
  });
});

test('the mixId of a conversation is the two account ids joined (§3-conversation-mix-id)', ({
  documents,
  ana,
  ben,
}) => {
  expect(documents.conversations.mixId).toBe(ana.accountId + ben.accountId);
});

test('a new verification request has valid null (§3-verification-request-valid)', ({ documents }) => {
  expect(documents.verifying.valid).toBeNull();
});

test('data of at most 65,536 characters as JSON are read, and longer ones refused by their length', async ({
  backend,
  ana,
}) => {
  const { create } = openSdk(backend.url, ana);
  const send = (length: number) =>
    create('posts', newId(), { caption: 'x'.repeat(length - '{"caption":""}'.length) });
  await expect(send(65_536)).rejects.toEqual(
    refused(400, 'document_invalid_structure', expect.stringContaining('caption')),
  );
  await expect(send(65_537)).rejects.toEqual(
    refused(400, 'general_argument_invalid', expect.stringContaining('at most 65536 characters as JSON')),
  );
});
