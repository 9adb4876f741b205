import { disputeAnswered } from '@tara/contract/interactions/steps';
import type { DisputedRequest, NewAnswer, NewDispute } from '@tara/contract/money/disputes';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, showToAdmins } from '../files/index.ts';
import { applyTransition, findInteraction } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { readDispute } from './read.ts';
import { disputePhotos, disputes } from './tables.ts';

export type DisputeContext = Pick<Platform, 'database' | 'bus'>;

/** Attaches the photos of one side: only the two parties and the admins see them. @throws Problem `storage_file_not_found` */
async function attachPhotos(
  transaction: Transaction,
  { accountId, profileId }: Viewer,
  interactionId: string,
  imageIds: readonly string[],
): Promise<void> {
  const row = imageIds.length === 0 ? null : await findInteraction(transaction, interactionId);
  if (row === null) return;
  const readers = [row.client.accountId, row.creator.accountId];
  const photos: (typeof disputePhotos.$inferInsert)[] = [];
  for (const [position, id] of imageIds.entries()) {
    const upload = { id, ownerAccountId: accountId, bucket: 'images', field: 'imageIds', readers } as const;
    const { id: imageId } = await attachFile(transaction, upload);
    await showToAdmins(transaction, imageId);
    photos.push({ interactionId, profileId, position, imageId });
  }
  await transaction.insert(disputePhotos).values(photos);
}

/**
 * The client says that there was a problem: until an admin decides, nothing is confirmed and nothing is paid out.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `storage_file_not_found`
 */
export async function openDispute(
  platform: DisputeContext,
  viewer: Viewer,
  { interactionId, reason, story, imageIds }: NewDispute,
): Promise<DisputedRequest> {
  await applyTransition(platform, viewer, interactionId, {
    steps: ['dispute'],
    set: () => ({ disputedAt: sql`now()` }),
    also: async (transaction) => {
      await transaction.insert(disputes).values({ interactionId, reason, story });
      await attachPhotos(transaction, viewer, interactionId, imageIds);
      await notify(transaction, { event: 'disputed', interactionId, to: ['client', 'creator'] });
    },
  });
  return readDispute(platform.database, viewer, interactionId);
}

/**
 * The creator answers an open dispute, once.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `storage_file_not_found`
 */
export async function answerDispute(
  platform: DisputeContext,
  viewer: Viewer,
  { interactionId, story, imageIds }: NewAnswer,
): Promise<DisputedRequest> {
  await applyTransition(platform, viewer, interactionId, {
    steps: ['answerDispute'],
    set: () => ({}),
    also: async (transaction) => {
      const answered = await transaction
        .update(disputes)
        .set({ answer: story, answeredAt: sql`now()` })
        .where(and(eq(disputes.interactionId, interactionId), isNull(disputes.answeredAt)))
        .returning({ id: disputes.interactionId });
      if (answered.length === 0) throw new Problem('interaction_not_allowed', { text: disputeAnswered });
      await attachPhotos(transaction, viewer, interactionId, imageIds);
      await notify(transaction, { event: 'disputeAnswered', interactionId, to: ['client'] });
    },
  });
  return readDispute(platform.database, viewer, interactionId);
}
