import { partyOf } from '@tara/contract/interactions';
import { parseTags } from '@tara/contract/posts';
import type { NewReview, Review } from '@tara/contract/reviews';
import { interactionCan } from '@tara/contract/verdicts';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { refuseTakenId } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceInteraction, interactions, readInteraction, stepCondition } from '../interactions/index.ts';
import { announceProfileChange } from '../profiles/index.ts';
import { announceReview } from './announce.ts';
import { setPhotos } from './photos.ts';
import { readReview } from './read.ts';
import { reviews } from './tables.ts';

/**
 * The client reviews a confirmed request, once (§4); whom and which plan it is about is read from the request.
 * @throws Problem `interaction_not_found`, `review_not_yet`, `review_already_written`, `interaction_not_allowed` for its
 * creator, `storage_file_not_found`, `document_already_exists` for an `id` that is taken.
 */
export async function createReview(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  form: NewReview,
  id = newId(),
): Promise<Review> {
  const { database, bus } = platform;
  const written = await database.transaction(async (transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set({ reviewSubmitted: true, updatedAt: sql`now()` })
      .where(and(eq(interactions.id, form.interactionId), stepCondition('review', viewer)))
      .returning({ planId: interactions.planId, ownerId: interactions.creatorId });
    if (!request) return false;
    await transaction
      .insert(reviews)
      .values({
        id,
        interactionId: form.interactionId,
        creatorId: viewer.profileId,
        ownerId: request.ownerId,
        planId: request.planId,
        caption: form.caption,
        location: form.location,
        stars: form.stars,
        tags: parseTags(form.tags),
      })
      .catch(refuseTakenId('reviews_pkey'));
    await setPhotos(transaction, viewer, id, form.imageIds);
    return true;
  });
  if (!written) throw await refusal(database, viewer, form.interactionId);
  const review = await readReview(database, viewer, id);
  announceReview(bus, 'create', review);
  await announceProfileChange(platform, review.ownerId);
  await announceInteraction(platform, form.interactionId);
  return review;
}

async function refusal(database: Database, viewer: Viewer, id: string): Promise<Problem> {
  const request = await readInteraction(database, viewer, id);
  const party = partyOf(request, viewer.accountId);
  if (party !== 'client') {
    const verdict = interactionCan.review(request, party);
    return new Problem('interaction_not_allowed', verdict === true ? {} : { text: verdict });
  }
  return new Problem(request.reviewSubmitted ? 'review_already_written' : 'review_not_yet');
}
