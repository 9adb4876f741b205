import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { reviews } from '../../features/reviews/index.ts';
import { mutes } from '../../features/visibility/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks, withoutTokens } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed } from '../../testing/features/reviews.ts';

const words = { caption: 'A lovely hour.', location: 'Makati', stars: 9 };

const base = documentsTest()
  /** A confirmed request of Ben for a plan of Ana. */
  .extend('request', { scope: 'file' }, ({ database, ana, ben }) => async () => {
    const planId = await insertPlan(database, ana);
    return {
      planId,
      id: await insertInteraction(database, { creator: ana, client: ben, planId }, confirmed),
    };
  });

describe.each(sdks)('%s', (_name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben))
    .extend('asCora', ({ backend, cora }) => openSdk(backend.url, cora))
    .extend('published', ({ asBen, request }) => async () => {
      const { id: interactionId } = await request();
      return asBen.create('reviews', newId(), { ...words, interactionId });
    });

  test('the client writes one review of a confirmed request and changes it (§7-documents-create)', async ({
    database,
    asAna,
    asBen,
    request,
    ana,
    ben,
  }) => {
    const { id: interactionId, planId } = await request();
    const imageIds = [await insertPicture(database, { ownerAccountId: ben.accountId })];
    const form = { ...words, interactionId, tags: ['coffee', 'talk'], imageIds };
    const notHers = asAna.create('reviews', newId(), { ...words, interactionId });
    await expect(notHers).rejects.toEqual(refused(409, 'interaction_not_allowed'));
    const named = { owner: ana.profileId, ownerId: ana.profileId, plan: planId };
    await expect(
      asBen.create('reviews', newId(), { ...form, ...named, ownerId: ben.profileId }),
    ).rejects.toEqual(refused(400, 'document_invalid_structure'));
    const review = await asBen.create('reviews', newId(), { ...form, ...named });
    expect(review).toMatchObject({
      ...words,
      ...{ creatorId: ben.profileId, ownerId: ana.profileId, planId, tags: ['coffee', 'talk'] },
      ...{ imageId: imageIds[0], imageIds, totalLikes: 0, totalComments: 0 },
      imageUrl: expect.stringContaining(`/v1/storage/buckets/images/files/${imageIds[0]}/preview?`),
      creator: { name: 'Ben Reyes' },
      owner: { name: 'Ana Cruz' },
      plan: { $id: planId, title: 'Coffee in Makati' },
      $permissions: ['read("users/verified")', `update("user:${ben.accountId}")`],
    });
    expect(withoutTokens(await asAna.get('reviews', review.$id))).toEqual(withoutTokens(review));
    await expect(asBen.create('reviews', newId(), form)).rejects.toEqual(
      refused(409, 'review_already_written'),
    );

    const changed = await asBen.update('reviews', review.$id, {
      ...review,
      caption: 'Still lovely.',
      stars: 8,
    });
    expect(changed).toMatchObject({ caption: 'Still lovely.', stars: 8, tags: ['coffee', 'talk'], imageIds });
    await expect(asAna.update('reviews', review.$id, { stars: 10 })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asBen.delete('reviews', review.$id)).rejects.toEqual(refused(401, 'user_unauthorized'));
    const { query } = asAna;
    const about = await asAna.list('reviews', [
      query.equal('ownerId', ana.profileId),
      query.limit(1),
      query.orderDesc('$createdAt'),
    ]);
    expect(withoutTokens(about.documents)).toEqual(withoutTokens([changed]));
    await database
      .update(reviews)
      .set({ createdAt: new Date('2020-01-01') })
      .where(eq(reviews.id, review.$id));
    await expect(asBen.update('reviews', review.$id, { stars: 1 })).rejects.toEqual(
      refused(409, 'review_edit_closed'),
    );
  });

  test.for([
    { totalLikes: 7 },
    { ownerId: 'somebody' },
    { creatorId: 'somebody' },
    { planId: 'another' },
    { userId: 'x' },
    { stars: 11 },
  ])('%j is refused in data (§6)', async (data, { asBen, request, published }) => {
    const refusal = refused(
      400,
      'document_invalid_structure',
      expect.stringContaining(Object.keys(data)[0] ?? ''),
    );
    const { id: interactionId } = await request();
    await expect(asBen.create('reviews', newId(), { ...words, interactionId, ...data })).rejects.toEqual(
      refusal,
    );
    await expect(asBen.update('reviews', (await published()).$id, data)).rejects.toEqual(refusal);
  });

  test('a like has a composite id, is found by its lookup, and is its owner’s alone (§7-documents-list)', async ({
    asAna,
    asCora,
    cora,
    published,
  }) => {
    const { $id: reviewId } = await published();
    const like = await asCora.create('likedReviews', newId(), { reviewId, whoLiked: cora.profileId });
    expect(like).toMatchObject({
      $id: cora.profileId.slice(0, 8) + reviewId.slice(0, 8),
      ...{ reviewId, whoLiked: cora.profileId },
    });
    const { query } = asCora;
    const lookup = [query.equal('reviewId', reviewId), query.equal('whoLiked', cora.profileId)];
    expect(await asCora.list('likedReviews', lookup)).toEqual({ total: 1, documents: [like] });
    expect(await asAna.list('likedReviews', lookup)).toEqual({ total: 0, documents: [] });
    await expect(asAna.get('likedReviews', like.$id)).rejects.toEqual(refused(404, 'document_not_found'));
    expect((await asAna.get('reviews', reviewId)).totalLikes).toBe(1);
    await asCora.delete('likedReviews', like.$id);
    await expect(asCora.get('likedReviews', like.$id)).rejects.toEqual(refused(404, 'document_not_found'));
    expect((await asAna.get('reviews', reviewId)).totalLikes).toBe(0);
    const foreign = asAna.create('likedReviews', newId(), { reviewId, whoLiked: cora.profileId });
    await expect(foreign).rejects.toEqual(
      refused(400, 'document_invalid_structure', expect.stringContaining('whoLiked')),
    );
    await expect(asCora.create('likedReviews', newId(), { reviewId: 'none' })).rejects.toEqual(
      refused(404, 'document_not_found'),
    );
  });

  test('every member comments on a review, and deletes the own comment (§7-documents-delete)', async ({
    backend,
    database,
    asAna,
    asCora,
    ana,
    cora,
    published,
  }) => {
    const { $id: reviewId } = await published();
    const id = newId();
    const comment = await asCora.create('reviewComments', id, { reviewId, body: 'I was there too.' });
    expect(comment).toMatchObject({
      ...{
        $id: id,
        reviewId,
        body: 'I was there too.',
        creatorId: cora.profileId,
        creator: { name: 'Cora Lim' },
      },
      $permissions: ['read("users/verified")', `delete("user:${cora.accountId}")`],
    });
    await expect(asCora.create('reviewComments', id, { reviewId, body: 'Again' })).rejects.toEqual(
      refused(409, 'document_already_exists'),
    );
    const { query } = asAna;
    const onReview = [query.equal('reviewId', reviewId), query.orderDesc('$createdAt')];
    expect(await asAna.list('reviewComments', onReview)).toEqual({ total: 1, documents: [comment] });
    await expect(asCora.update('reviewComments', id, { body: 'Other' })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asAna.delete('reviewComments', id)).rejects.toEqual(refused(401, 'user_unauthorized'));
    for (const data of [{ creatorId: 'somebody' }, { userId: 'somebody' }, { body: '' }])
      await expect(
        asCora.create('reviewComments', newId(), { reviewId, body: 'Hi', ...data }),
      ).rejects.toEqual(
        refused(400, 'document_invalid_structure', expect.stringContaining(Object.keys(data)[0] ?? '')),
      );
    // Muted, it is in no list, and there when asked for by its id.
    await database.insert(mutes).values({ muterId: ana.profileId, mutedId: cora.profileId });
    backend.platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    expect((await asAna.list('reviewComments', onReview)).documents).toEqual([]);
    expect(await asAna.get('reviewComments', id)).toEqual(comment);
    await database.delete(mutes);
    backend.platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    await asCora.delete('reviewComments', id);
    await expect(asAna.get('reviewComments', id)).rejects.toEqual(refused(404, 'document_not_found'));
  });
});
