import { nowDate } from '@tara/contract/clock';
import type { BucketId } from '@tara/contract/files';
import type { CollectionId, Document } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { conversations } from '../../features/conversations/tables.ts';
import { chats } from '../../features/messages/tables.ts';
import { posts } from '../../features/posts/tables.ts';
import { profiles } from '../../features/profiles/index.ts';
import { reviews } from '../../features/reviews/tables.ts';
import { newId } from '../../platform/ids.ts';
import { documentFields } from '../../testing/backend/document-fields.ts';
import { documentsTest, refused, type SdkDocuments, sdks } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed, fulfilled } from '../../testing/features/reviews.ts';
import type { TestMember } from '../../testing/features/sessions.ts';

const [[, openSdk]] = sdks;

type Values = Record<string, unknown>;

/** A member inside a document. */
const person = ({ accountId, profileId }: TestMember, name: string) =>
  expect.objectContaining({ $id: profileId, accountId, name });
const inside = ($id: unknown) => expect.objectContaining({ $id });
const address = (imageId: unknown) => expect.stringContaining(`/files/${imageId}/`);
const time = (day: string) => `${day}T03:04:05.000+00:00`;
const [createdAt, updatedAt] = [new Date('2026-01-02T03:04:05Z'), new Date('2026-01-03T03:04:05Z')];
const times = { $createdAt: time('2026-01-02'), $updatedAt: time('2026-01-03') };

/** Documents of each collection, as one of their readers gets them, each with the values that its record has. */
const test = documentsTest()
  .extend('records', { scope: 'file' }, async ({ backend, database, ana, ben }) => {
    const [anaPerson, benPerson] = [person(ana, 'Ana Cruz'), person(ben, 'Ben Reyes')];
    for (const { profileId } of [ana, ben])
      await database
        .update(profiles)
        .set({ verified: true, birthDate: '1995-06-15' })
        .where(eq(profiles.id, profileId));
    const [asAna, asBen] = [openSdk(backend.url, ana), openSdk(backend.url, ben)];
    const images = (bucket: BucketId = 'images', { accountId }: TestMember = ana) =>
      insertPicture(database, { ownerAccountId: accountId, bucket, variants: [] });
    const imageId = await images();

    const words = { caption: 'Hello', location: 'Cebu' };
    const post = await asAna.create('posts', newId(), { ...words, tags: 'sea, #sun set', imageId });
    const like = await asBen.create('likedPosts', newId(), { postId: post.$id });
    const save = await asBen.create('saves', newId(), { postId: post.$id });
    await database.update(posts).set({ createdAt, updatedAt }).where(eq(posts.id, post.$id));

    const terms = 'We meet in a public place and share the bill.';
    const texts = { title: 'Coffee', desc: 'With cake', time: '3 pm', place: 'Makati', terms };
    const offer = { ...texts, price: 250, imageId: await images() };
    const plan = await asAna.create('plans', newId(), offer);
    const title = 'Coffee of before';
    const now = nowDate();
    const link = { planTitle: title, webhookId: 'hook1', priceCentavos: 300_00 };
    /** Of a plan of its own: one request of a plan is open. */
    const request = async (state: Parameters<typeof insertInteraction>[2], planId?: string) => {
      const parties = { creator: ana, client: ben, planId: planId ?? (await insertPlan(database, ana)) };
      return {
        id: await insertInteraction(database, parties, { ...link, ...state }),
        planId: parties.planId,
      };
    };
    const unpaid = await request({ referenceNumber: 'REF1', checkoutUrl: 'https://pay.test/1' });
    const paid = await request({ paidAt: now, paymentId: 'pay1' });
    const accepted = await request({ referenceNumber: 'REF2', paidAt: now, acceptedAt: now });
    const done = await request(fulfilled);
    const completed = await request({ ...confirmed, releasedCentavos: 270_00 }, plan.$id);
    const cardDown = await request({ ...confirmed, cardDown: true }, plan.$id);
    const receipt = await asBen.create('conversationReceipts', newId(), { interactionId: accepted.id });
    const reviewImages = [await images('images', ben), await images('images', ben)];
    const opinion = { caption: 'A lovely hour.', location: 'Pasig', stars: 9, tags: 'cafe, quiet' };
    const review = await asBen.create('reviews', newId(), {
      ...opinion,
      interactionId: completed.id,
      imageIds: reviewImages,
    });
    await database.update(reviews).set({ createdAt, updatedAt }).where(eq(reviews.id, review.$id));
    const comment = await asAna.create('reviewComments', newId(), { reviewId: review.$id, body: 'Thanks' });
    const likedReview = await asAna.create('likedReviews', newId(), { reviewId: review.$id });
    const state = {
      ...{ whoSentReq: benPerson, creator: anaPerson, price: 300 },
      ...{ paid: true, paymentId: null, referenceNumber: null, checkoutUrl: null, webhookId: 'hook1' },
      ...{ planTitle: title, conversationReceipt: null, haveConvoReceipt: false, accepted: null },
      ...{ userSetDone: null, adminSetDone: null, completed: null, cardDown: false, reviewSubmitted: false },
      ...{ creatorAccountId: ana.accountId, clientAccountId: ben.accountId },
    };
    const withReceipt = { conversationReceipt: receipt.$id, haveConvoReceipt: true };
    // The database has both times or none.
    const confirmedState = {
      ...state,
      accepted: true,
      userSetDone: true,
      adminSetDone: true,
      completed: true,
    };
    const states: [{ id: string; planId: string }, Values][] = [
      [unpaid, { ...state, paid: false, referenceNumber: 'REF1', checkoutUrl: 'https://pay.test/1' }],
      [paid, { ...state, paymentId: 'pay1' }],
      [accepted, { ...state, accepted: true, referenceNumber: 'REF2', ...withReceipt }],
      [done, { ...state, accepted: true, userSetDone: true }],
      [completed, { ...confirmedState, reviewSubmitted: true }],
      [cardDown, { ...confirmedState, cardDown: true }],
    ];

    const creators = [ana.profileId, ben.profileId];
    const conversation = await asAna.create('conversations', newId(), { creators });
    const inChat = { body: 'Hi', imageId: await images('messageFiles') };
    const chat = await asAna.create('chats', newId(), { convoId: conversation.$id, ...inChat });
    const inReceipt = { body: 'On my way', imageId: await images('messageFiles', ben) };
    const note = await asBen.create('chatReceipts', newId(), {
      conversationReceiptId: receipt.$id,
      ...inReceipt,
    });
    const isRow = eq(conversations.id, conversation.$id);
    await database.update(conversations).set({ removeExpired: true, createdAt }).where(isRow);
    const expiresAt = new Date('2099-01-02T03:04:05Z');
    const isChat = eq(chats.id, conversation.$id);
    await database.update(chats).set({ expiresAt, newestAt: updatedAt }).where(isChat);
    const mixId = ana.accountId + ben.accountId;

    await database.update(profiles).set({ verified: null }).where(eq(profiles.id, ana.profileId));
    const identity = {
      ...{ idFrontId: await images('verificationFiles'), idBackId: await images('verificationFiles') },
      ...{ photoId: await images('verificationFiles'), address: '1 Mabini Street, Cebu' },
    };
    const verification = await asAna.create('verifying', newId(), identity);
    const about = {
      ...{ phoneNumber: '0917 123', bio: 'Hi!', lookingFor: 'friends', education: 'UP', hobby: 'chess' },
      ...{ gender: 'Female', limitedPlan: 7, totalPlan: 3, totalInteraction: 11 },
    };
    const portraitId = await images();
    const columns = { ...about, username: 'anacruz', imageId: portraitId, birthDate: '1995-06-16' };
    await database.update(profiles).set(columns).where(eq(profiles.id, ana.profileId));

    const stored: Record<CollectionId, [Reader: SdkDocuments, id: string, Values][]> = {
      users: [
        [
          asAna,
          ana.profileId,
          {
            ...about,
            ...{ accountId: ana.accountId, name: 'Ana Cruz', username: 'anacruz', email: ana.email },
            ...{ imageId: portraitId, imageUrl: address(portraitId), sentVerifiedReq: true, verified: null },
            bDay: '1995-06-16',
          },
        ],
      ],
      posts: [
        [
          asBen,
          post.$id,
          {
            ...{ ...times, ...words, creator: anaPerson, creatorId: ana.profileId, imageId },
            ...{
              imageUrl: address(imageId),
              tags: ['sea', 'sunset'],
              totalLikes: 1,
              usedDp: false,
              stars: null,
            },
          },
        ],
      ],
      plans: [
        [asAna, plan.$id, { ...offer, creator: anaPerson, imageCover: address(offer.imageId), earned: 270 }],
      ],
      planInteractions: states.map(([{ id, planId }, values]) => [
        asBen,
        id,
        { ...values, planId, plan: inside(planId) },
      ]),
      likedPosts: [[asBen, like.$id, { whoLiked: ben.profileId, postId: post.$id }]],
      likedReviews: [[asAna, likedReview.$id, { whoLiked: ana.profileId, reviewId: review.$id }]],
      saves: [[asBen, save.$id, { postId: post.$id, userId: ben.profileId, post: inside(post.$id) }]],
      reviews: [
        [
          asBen,
          review.$id,
          {
            ...{ ...times, ...opinion, creator: benPerson, creatorId: ben.profileId },
            ...{ owner: anaPerson, ownerId: ana.profileId, plan: inside(plan.$id), tags: ['cafe', 'quiet'] },
            ...{ imageId: reviewImages[0], imageUrl: address(reviewImages[0]) },
          },
        ],
      ],
      reviewComments: [
        [
          asBen,
          comment.$id,
          { reviewId: review.$id, creator: anaPerson, creatorId: ana.profileId, body: 'Thanks' },
        ],
      ],
      conversations: [
        [
          asAna,
          conversation.$id,
          {
            ...{ ...times, mixId, creators, accountIds: [ana.accountId, ben.accountId] },
            ...{ expiration: time('2099-01-02'), removeExpired: true, preview: 'Hi' },
          },
        ],
      ],
      conversationOwners: [[asAna, ana.profileId, { owner: ana.profileId, accountId: ana.accountId }]],
      chats: [
        [
          asBen,
          chat.$id,
          {
            ...{ ...inChat, creator: anaPerson, convoId: conversation.$id, mixId, chatId: conversation.$id },
            ...{ imageUrl: address(inChat.imageId), name: 'Ana Cruz' },
          },
        ],
      ],
      chatReceipts: [
        [
          asAna,
          note.$id,
          {
            ...{ ...inReceipt, conversationReceiptId: receipt.$id, userId: ben.profileId },
            ...{ imageUrl: address(inReceipt.imageId), name: 'Ben Reyes' },
          },
        ],
      ],
      conversationReceipts: [
        [
          asAna,
          receipt.$id,
          {
            ...{ convoId: receipt.$id, interactionId: accepted.id },
            ...{ creatorAccountId: ana.accountId, clientAccountId: ben.accountId },
          },
        ],
      ],
      verifying: [
        [
          asAna,
          verification.$id,
          {
            ...{ ...identity, userId: ana.profileId, creator: anaPerson, valid: null },
            // Identity pictures have no address.
            ...{ idFront: null, idBack: null, photo: null },
          },
        ],
      ],
      friendLists: [[asAna, ana.profileId, { owner: anaPerson }]],
    };
    const read = async ([collection, records]: [string, (typeof stored)[CollectionId]]) =>
      [
        collection,
        await Promise.all(
          records.map(async ([as, id, values]) => ({
            document: await as.get(collection as CollectionId, id),
            values,
          })),
        ),
      ] as const;
    const entries = await Promise.all(Object.entries(stored).map(read));
    return Object.fromEntries(entries) as Record<CollectionId, { document: Document; values: Values }[]>;
  })
  .extend('documents', { scope: 'file' }, ({ records }) => {
    const first = Object.entries(records).map(([collection, [one]]) => [collection, one?.document]);
    return Object.fromEntries(first) as Record<CollectionId, Document>;
  });

const entities: [title: string, CollectionId][] = [
  ['a user profile (§3-user-profile)', 'users'],
  ['a post (§3-post)', 'posts'],
  ['a plan (§3-plan)', 'plans'],
  ['a plan interaction (§3-plan-interaction)', 'planInteractions'],
  ['a liked post (§3-liked-post)', 'likedPosts'],
  ['a liked review (§3-liked-review)', 'likedReviews'],
  ['a save (§3-save)', 'saves'],
  ['a review (§3-review)', 'reviews'],
  ['a review comment (§3-review-comment)', 'reviewComments'],
  ['a conversation (§3-conversation)', 'conversations'],
  ['a chat message (§3-chat-message)', 'chats'],
  ['a chat receipt (§3-chat-receipt)', 'chatReceipts'],
  ['a conversation receipt (§3-conversation-receipt)', 'conversationReceipts'],
  ['a verification request (§3-verification-request)', 'verifying'],
  ['a friend list (§3-friend-list)', 'friendLists'],
];

describe('a document has the fields of its entity, with the values of its record', () => {
  test.for(entities)('%s', ([, collection], { records }) => {
    for (const { document, values } of records[collection]) {
      const names = documentFields[collection].split(' ');
      expect(names.filter((name) => !(name in values))).toEqual([]);
      expect(document).toMatchObject({
        ...{ $id: expect.any(String), $createdAt: expect.any(String), $updatedAt: expect.any(String) },
        ...values,
      });
    }
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
