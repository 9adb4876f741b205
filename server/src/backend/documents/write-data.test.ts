import { nowDate } from '@tara/contract/clock';
import { defaultUsername } from '@tara/contract/limits';
import type { CollectionId, Document } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { befriend, profiles } from '../../features/profiles/index.ts';
import { receiptIdOf } from '../../features/receipts/index.ts';
import { verifications } from '../../features/verification/index.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import { documentFields } from '../../testing/backend/document-fields.ts';
import {
  documentsTest,
  refused,
  type SdkDocuments,
  sdks,
  withoutTokens,
} from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed } from '../../testing/features/reviews.ts';
import { addMember } from '../../testing/features/sessions.ts';
import type { FixturesOf } from '../../testing/test.ts';

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
    await asAna.update('users', ana.profileId, { bio: 'Likes the sea.', imageId: await images() });
    await database.transaction((transaction) => befriend(transaction, ana.profileId, ben.profileId));
    const post = await asAna.create('posts', newId(), { caption: 'Hello', tags: 'sea, #sun set' });
    const terms = 'We meet in a public place and share the bill.';
    const offer = { title: 'Coffee', desc: '', time: '3 pm', price: 250, terms, imageId: await images() };
    const plan = await asAna.create('plans', newId(), offer);
    const request = await asBen.create('planInteractions', newId(), { planId: plan.$id });
    const parties = { creator: ana, client: ben, planId: await insertPlan(database, ana) };
    const now = nowDate();
    const paidId = await insertInteraction(database, parties, {
      ...{ paidAt: now, acceptedAt: now, referenceNumber: newReferenceNumber() },
    });
    const receipt = await asBen.create('conversationReceipts', newId(), { interactionId: paidId });
    const note = { conversationReceiptId: receipt.$id, body: 'On my way' };
    const conversation = await asAna.create('conversations', newId(), {
      creators: [ana.profileId, ben.profileId],
    });
    const home = { address: '1 Mabini Street, Cebu' };
    await database.update(profiles).set({ verified: null }).where(eq(profiles.id, ana.profileId));
    const verification = await asAna.create('verifying', newId(), {
      ...{ idFrontId: await images('verificationFiles'), idBackId: await images('verificationFiles') },
      ...{ photoId: await images('verificationFiles'), ...home },
    });
    await database.update(profiles).set({ verified: true }).where(eq(profiles.id, ana.profileId));
    const interactionId = await insertInteraction(database, parties, confirmed);
    const photo = await insertPicture(database, { ownerAccountId: ben.accountId, variants: [] });
    const words = { interactionId, caption: 'A lovely hour.', location: '', stars: 9, imageIds: [photo] };
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

const pickAttributes = (document: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));

/** With the ids of the related documents alone, which change by themselves. */
const withRelatedIds = (document: Record<string, unknown>) =>
  withoutTokens(
    Object.fromEntries(Object.entries(document).map(([name, value]) => [name, Object(value).$id ?? value])),
  );

const everywhere = test
  .extend('dan', ({ connection }) => addMember(connection, { name: 'Dan', username: undefined }))
  .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
  .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben))
  .extend('upload', ({ database, ana, ben }) => (whose: 'ana' | 'ben', bucket?: 'verificationFiles') => {
    const { accountId: ownerAccountId } = { ana, ben }[whose];
    return insertPicture(database, { ownerAccountId, variants: [], ...(bucket ? { bucket } : {}) });
  })
  .extend('paidRequest', ({ database, ana, ben }) => async () => {
    const planId = await insertPlan(database, ana);
    const [now, referenceNumber] = [nowDate(), newReferenceNumber()];
    const state = { paidAt: now, acceptedAt: now, referenceNumber };
    const id = await insertInteraction(database, { creator: ana, client: ben, planId }, state);
    return { id, convoId: receiptIdOf(ana.profileId, ben.profileId, referenceNumber) };
  })
  .extend('asDan', ({ backend, dan }) => openSdk(backend.url, dan))
  .extend('reviewed', ({ database, ana, ben }) => async () => {
    const planId = await insertPlan(database, ana);
    return insertInteraction(database, { creator: ana, client: ben, planId }, confirmed);
  })
  .extend('world', ({ database, asAna, asBen, asDan, ana, ben, dan, upload, paidRequest, reviewed }) => ({
    ...{ database, asAna, asBen, asDan, ana, ben, dan, upload, paidRequest, reviewed },
  }));
type World = FixturesOf<typeof everywhere>['world'];

/** Who creates a document, and what a second creation of the same has instead of what was read. */
const creations: Record<
  CollectionId,
  [who: 'ana' | 'ben', renew: (world: World, before: Document) => Promise<Record<string, unknown>>]
> = {
  users: ['ana', async () => ({})],
  // A new post is liked by nobody.
  posts: ['ana', async () => ({ totalLikes: 0 })],
  plans: ['ana', async ({ upload }, { imageCover }) => ({ imageId: await upload('ana'), imageCover })],
  planInteractions: [
    'ben',
    async ({ asBen }, { $id }) => {
      await asBen.update('planInteractions', $id, { cancelled: true });
      return {};
    },
  ],
  likedPosts: ['ben', async () => ({})],
  likedReviews: ['ana', async () => ({})],
  saves: [
    'ben',
    async ({ asBen }, { $id }) => {
      await asBen.delete('saves', $id);
      return {};
    },
  ],
  reviews: [
    'ben',
    async ({ database, ana, ben, upload }, { planId, imageUrl }) => {
      const parties = { creator: ana, client: ben, planId: String(planId) };
      const interactionId = await insertInteraction(database, parties, confirmed);
      return { interactionId, imageId: await upload('ben'), imageUrl };
    },
  ],
  reviewComments: ['ana', async () => ({})],
  conversations: ['ana', async () => ({})],
  conversationOwners: ['ana', async () => ({})],
  chats: ['ana', async () => ({})],
  chatReceipts: ['ben', async () => ({})],
  conversationReceipts: [
    'ben',
    async ({ paidRequest }) => {
      const { id: interactionId, convoId } = await paidRequest();
      return { interactionId, convoId };
    },
  ],
  verifying: [
    'ana',
    async ({ database, ana, upload }) => {
      await database.delete(verifications).where(eq(verifications.userId, ana.profileId));
      await database
        .update(profiles)
        .set({ verified: null, sentVerifiedReq: false })
        .where(eq(profiles.id, ana.profileId));
      const files = [1, 2, 3].map(() => upload('ana', 'verificationFiles'));
      const [idFrontId, idBackId, photoId] = await Promise.all(files);
      return { idFrontId, idBackId, photoId };
    },
  ],
  friendLists: ['ana', async () => ({})],
};

everywhere.for(Object.entries(creations) as [CollectionId, (typeof creations)[CollectionId]][])(
  'all attributes of %s are taken as they are read, by a change and by a creation, and change nothing',
  async ([collection, [who, renew]], { documents, world }) => {
    const names = documentFields[collection].split(' ');
    const as = { ana: world.asAna, ben: world.asBen }[who];
    const before = await as.get(collection, String(documents[collection].$id));
    const { $id: id, $createdAt: createdAt } = before;
    const { accountId } = world[who];
    if (before.$permissions.includes(`update("user:${accountId}")`))
      expect(await as.update(collection, id, { ...before, id, createdAt })).toEqual(before);
    const instead = await renew(world, before);
    const sent = { ...pickAttributes(before, names), id, createdAt, ...instead };
    const created = await as.create(collection, 'unique()', sent);
    const compared = names.filter((name) => !(name in instead));
    expect(withRelatedIds(pickAttributes(created, compared))).toEqual(
      withRelatedIds(pickAttributes(before, compared)),
    );
  },
);

const elsewhere = 'https://elsewhere.example/picture.jpg';
const review = { caption: 'A lovely hour.', location: '', stars: 9 };

/** What a creation takes beside what it sets, and what its document has then. */
const acceptedCreations: Record<
  string,
  (world: World) => Promise<{ collection: CollectionId; as: SdkDocuments; data: object; is: object }>
> = {
  'the start values of a profile': async ({ asDan: as, dan }) => ({
    ...{ collection: 'users', as },
    data: {
      ...{ accountId: dan.accountId, email: dan.email, name: 'Dan', username: 'dan', phoneNumber: '' },
      ...{ imageId: '', imageUrl: '', bio: '', sentVerifiedReq: false, verified: null, lookingFor: '' },
      ...{ education: '', hobby: '', gender: '', bDay: null, limitedPlan: 5, totalPlan: 0 },
    },
    is: { $id: dan.profileId, username: 'dan', imageId: null, education: '', bDay: null },
  }),
  'a name without a username': async ({ asDan: as, dan }) => ({
    ...{ collection: 'users', as, data: { name: 'Danny' } },
    is: { $id: dan.profileId, name: 'Danny', username: defaultUsername },
  }),
  'a username without a name': async ({ asDan: as, dan }) => ({
    ...{ collection: 'users', as, data: { username: 'danny' } },
    is: { $id: dan.profileId, name: 'Dan', username: 'danny' },
  }),
  'the start values of a conversation': async ({ asAna: as, ana, dan }) => {
    const members = { creators: [ana.profileId, dan.profileId], accountIds: [ana.accountId, dan.accountId] };
    const state = { mixId: ana.accountId + dan.accountId, removeExpired: false, preview: '' };
    const data = { ...members, ...state, expiration: '2030-01-01T00:00:00.000+00:00' };
    return { collection: 'conversations', as, data, is: { ...members, ...state } };
  },
  'the id of a conversation receipt': async ({ asBen: as, ana, ben, paidRequest }) => {
    const { id: interactionId, convoId } = await paidRequest();
    const accounts = { creatorAccountId: ana.accountId, clientAccountId: ben.accountId };
    const data = { convoId, interactionId, ...accounts };
    return { collection: 'conversationReceipts', as, data, is: { $id: convoId, ...data } };
  },
  'a post without a picture of its own': async ({ asDan: as, dan }) => ({
    ...{ collection: 'posts', as },
    data: {
      ...{ caption: 'Hello', usedDp: true, imageId: '', imageUrl: '', stars: null, totalLikes: 0 },
      createdAt: '2001-01-01T00:00:00.000+00:00',
      creator: { id: dan.profileId, name: 'Dan', imageId: null, imageUrl: '' },
    },
    is: { creatorId: dan.profileId, usedDp: true, imageId: null, stars: null },
  }),
  'a post with the profile’s picture': async ({ asAna: as, ana }) => {
    const { imageId } = await as.get('users', ana.profileId);
    const data = { caption: 'Me', imageId };
    return { collection: 'posts', as, data, is: { ...data, usedDp: true } };
  },
  'a post with a picture of its own': async ({ asAna: as, upload }) => {
    const data = { caption: 'The sea', imageId: await upload('ana'), usedDp: false };
    return { collection: 'posts', as, data, is: data };
  },
  'a request for a free plan, which counts as paid': async ({ database, asBen: as, ana }) => {
    await database.update(profiles).set({ verified: true }).where(eq(profiles.id, ana.profileId));
    const planId = await insertPlan(database, ana, { priceCentavos: 0 });
    return { collection: 'planInteractions', as, data: { planId, paid: true }, is: { paid: true } };
  },
  'a review without photos': async ({ asBen: as, reviewed }) => ({
    ...{ collection: 'reviews', as },
    data: { ...review, interactionId: await reviewed(), imageId: '', imageUrl: '' },
    is: { ...review, imageId: null, imageUrl: null, imageIds: [] },
  }),
  'a review with a photo by its id': async ({ asBen: as, reviewed, upload }) => {
    const [interactionId, imageId] = [await reviewed(), await upload('ben')];
    const data = { ...review, interactionId, imageId, imageUrl: elsewhere };
    return { collection: 'reviews', as, data, is: { ...review, imageId, imageIds: [imageId] } };
  },
  'a review with photos by a list': async ({ asBen: as, reviewed, upload }) => {
    const [interactionId, imageIds] = [await reviewed(), [await upload('ben'), await upload('ben')]];
    const data = { ...review, interactionId, imageId: imageIds };
    return { collection: 'reviews', as, data, is: { imageId: imageIds[0], imageIds } };
  },
  'a review with photos by a list, and the first of them by imageId': async ({
    asBen: as,
    reviewed,
    upload,
  }) => {
    const imageIds = [await upload('ben'), await upload('ben'), await upload('ben')];
    const data = { ...review, interactionId: await reviewed(), imageIds, imageId: imageIds.slice(0, 2) };
    return { collection: 'reviews', as, data, is: { imageId: imageIds[0], imageIds } };
  },
  'the addresses of identity pictures': async ({ asDan: as, dan, database }) => {
    await database.update(profiles).set({ birthDate: '1995-06-15' }).where(eq(profiles.id, dan.profileId));
    const picture = () =>
      insertPicture(database, {
        ...{ ownerAccountId: dan.accountId, variants: [] },
        bucket: 'verificationFiles',
      });
    const ids = { idFrontId: await picture(), idBackId: await picture(), photoId: await picture() };
    const data = {
      ...ids,
      idFront: elsewhere,
      idBack: elsewhere,
      photo: elsewhere,
      address: '1 Mabini Street',
    };
    return { collection: 'verifying', as, data, is: { ...ids, idFront: null, idBack: null, photo: null } };
  },
};

everywhere.for(Object.entries(acceptedCreations))(
  'a creation takes %s',
  async ([, prepare], { documents: _prepared, world }) => {
    const { collection, as, data, is } = await prepare(world);
    expect(await as.create(collection, 'unique()', data)).toMatchObject(is);
  },
);

/** What would set something that its caller may not, by the attribute that is refused first. */
const refusedCreations: Record<string, (world: World) => Promise<{ as: SdkDocuments; data: object }>> = {
  'posts usedDp': async ({ asAna: as, upload }) => ({
    as,
    data: { caption: 'The sea', imageId: await upload('ana'), usedDp: true },
  }),
  'posts creator': async ({ asAna: as, ben }) => ({
    as,
    data: { caption: 'Hello', creator: { id: ben.profileId, name: 'Ben Reyes' } },
  }),
  'users gender': async ({ asDan: as }) => ({ as, data: { name: 'Dan', gender: 'Male' } }),
  'conversations preview': async ({ asAna: as, ana, ben }) => ({
    as,
    data: { creators: [ana.profileId, ben.profileId], preview: 'You owe me' },
  }),
  'conversationReceipts convoId': async ({ asBen: as, paidRequest }) => ({
    as,
    data: { interactionId: (await paidRequest()).id, convoId: 'another' },
  }),
  'planInteractions paid': async ({ database, asBen: as, ana }) => ({
    as,
    data: { planId: await insertPlan(database, ana), paid: true },
  }),
  'reviews imageId': async ({ asBen: as, reviewed, upload }) => {
    const [imageIds, imageId] = [[await upload('ben')], await upload('ben')];
    return { as, data: { ...review, interactionId: await reviewed(), imageIds, imageId } };
  },
};

everywhere.for(Object.entries(refusedCreations))(
  'a creation refuses what is not so: %s',
  async ([title, prepare], { documents: _prepared, world }) => {
    const [collection, name] = title.split(' ') as [CollectionId, string];
    const { as, data } = await prepare(world);
    await expect(as.create(collection, 'unique()', data)).rejects.toEqual(
      refused(400, 'document_invalid_structure', expect.stringContaining(name)),
    );
  },
);

everywhere(
  'the photos of a review are changed by imageId as by imageIds',
  async ({ documents: _prepared, asBen, reviewed, upload }) => {
    const [first, second] = [await upload('ben'), await upload('ben')];
    const data = { ...review, interactionId: await reviewed(), imageIds: [first, second] };
    const before = await asBen.create('reviews', 'unique()', data);
    const change = (data: object) => asBen.update('reviews', before.$id, data);
    expect(await change({ ...before, imageIds: [second, first] })).toMatchObject({ imageId: second });
    expect(await change({ imageId: first })).toMatchObject({ imageIds: [first] });
    expect(await change({ imageId: '' })).toMatchObject({ imageIds: [], imageUrl: null });
  },
);

everywhere(
  'a post is given another picture of one’s own, and none that another’s profile shows',
  async ({ documents: _prepared, asAna, asBen, ana, upload }) => {
    const [before, imageId] = [await upload('ana'), await upload('ana')];
    const { $id } = await asAna.create('posts', 'unique()', { caption: 'The sea', imageId: before });
    expect(await asAna.update('posts', $id, { imageId })).toMatchObject({
      ...{ caption: 'The sea', imageId, usedDp: false },
    });
    const { imageId: portraitId } = await asBen.get('users', ana.profileId);
    await expect(
      asBen.create('posts', 'unique()', { caption: 'Not me', imageId: portraitId }),
    ).rejects.toEqual(refused(404, 'storage_file_not_found'));
  },
);

everywhere('a list of chats is written by the chats alone', async ({ asAna, ana }) => {
  await expect(asAna.update('conversationOwners', ana.profileId, { conversations: ['x'] })).rejects.toEqual(
    refused(400, 'document_invalid_structure', expect.stringContaining('conversations')),
  );
});
