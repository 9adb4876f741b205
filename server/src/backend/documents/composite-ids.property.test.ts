import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { posts } from '../../features/posts/index.ts';
import { reviews } from '../../features/reviews/index.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { confirmed } from '../../testing/features/reviews.ts';

const [[, openSdk]] = sdks;
const test = documentsTest().extend('asCora', ({ backend, cora }) => openSdk(backend.url, cora));

let runs = 100;
/** Endings of ids that clients may choose: many begin alike, some are shorter than the part that ids are records of. */
const endings = fc.uniqueArray(fc.stringMatching(/^[ab.]{0,7}[a-c]{1,5}$/), { minLength: 2, maxLength: 6 });

describe.each([
  ['likedPosts', 'postId'],
  ['saves', 'postId'],
  ['likedReviews', 'reviewId'],
] as const)('records of %s', (collection, subject) => {
  test('each have an id of their own, whatever ids clients choose for what they are of', async ({
    database,
    asCora,
    ana,
    ben,
  }) => {
    const addSubjects = async (ids: readonly string[]) => {
      if (subject === 'postId')
        return database
          .insert(posts)
          .values(ids.map((id) => ({ id, creatorId: ana.profileId, usedDp: true })));
      const planId = await insertPlan(database, ana);
      for (const id of ids) {
        const interactionId = await insertInteraction(
          database,
          { creator: ana, client: ben, planId },
          confirmed,
        );
        const members = { ownerId: ana.profileId, creatorId: ben.profileId };
        const words = { caption: 'Kind', location: 'Cebu', stars: 5, tags: [] };
        await database.insert(reviews).values({ id, planId, interactionId, ...members, ...words });
      }
    };
    await fc.assert(
      fc.asyncProperty(endings, fc.boolean(), async (ends, atOnce) => {
        // Those of a run begin with its number.
        const run = (runs++).toString(36);
        const own = ends.map((end) => `${run}${end}`);
        await addSubjects(own);
        const create = (id: string) => asCora.create(collection, 'unique()', { [subject]: id });
        const records = [];
        if (atOnce) records.push(...(await Promise.all(own.map(create))));
        else for (const id of own) records.push(await create(id));
        expect(new Set(records.map(({ $id }) => $id)).size).toBe(own.length);
        for (const { $id, ...document } of records)
          expect(await asCora.get(collection, $id)).toMatchObject({ [subject]: document[subject] });
        const [gone, ...others] = records;
        await asCora.delete(collection, gone?.$id ?? '');
        await expect(asCora.get(collection, gone?.$id ?? '')).rejects.toEqual(
          refused(404, 'document_not_found'),
        );
        for (const other of others) expect(await asCora.get(collection, other.$id)).toEqual(other);
      }),
      { numRuns: 15 },
    );
  });
});
