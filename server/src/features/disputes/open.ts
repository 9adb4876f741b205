import {
  addableMessages,
  type DisputedRequest,
  type NewAnswer,
  type NewDispute,
} from '@tara/contract/money/disputes';
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, showToAdmins } from '../files/index.ts';
import { applyTransition, findInteraction, type InteractionRow } from '../interactions/index.ts';
import { listOwnTexts } from '../messages/index.ts';
import { notify } from '../notifications/index.ts';
import { readDispute } from './read.ts';
import { disputeMessages, disputePhotos, disputes } from './tables.ts';

export type DisputeContext = Pick<Platform, 'database' | 'bus'>;

/** Attaches the photos of one side: only the two parties and the admins see them. @throws Problem `storage_file_not_found` */
async function attachPhotos(
  transaction: Transaction,
  { accountId, profileId }: Viewer,
  { request, client, creator }: InteractionRow,
  imageIds: readonly string[],
): Promise<void> {
  if (imageIds.length === 0) return;
  const readers = [client.accountId, creator.accountId];
  const photos: (typeof disputePhotos.$inferInsert)[] = [];
  for (const [position, id] of imageIds.entries()) {
    const upload = { id, ownerAccountId: accountId, bucket: 'images', field: 'imageIds', readers } as const;
    const { id: imageId } = await attachFile(transaction, upload);
    await showToAdmins(transaction, imageId);
    photos.push({ interactionId: request.id, profileId, position, imageId });
  }
  await transaction.insert(disputePhotos).values(photos);
}

/**
 * Copies messages that one side wrote in the plan chat of the request, as they are now.
 * @throws Problem `general_argument_invalid` when one of them cannot be added
 */
async function copyMessages(
  transaction: Transaction,
  viewer: Viewer,
  { request, links }: InteractionRow,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return;
  const own =
    links.receiptId === null
      ? []
      : await listOwnTexts(transaction, viewer, links.receiptId, { ids: messageIds });
  if (own.length < messageIds.length)
    throw new Problem('general_argument_invalid', { fields: { messageIds: addableMessages } });
  const side = { interactionId: request.id, profileId: viewer.profileId };
  await transaction.insert(disputeMessages).values(
    // Oldest first.
    own
      .reverse()
      .map(({ id, text, sentAt }, position) => ({ ...side, position, messageId: id, body: text, sentAt })),
  );
}

/** Adds what one side shows beside its story. */
async function addEvidence(
  transaction: Transaction,
  viewer: Viewer,
  interactionId: string,
  { imageIds, messageIds }: Pick<NewAnswer, 'imageIds' | 'messageIds'>,
): Promise<void> {
  const row = await findInteraction(transaction, interactionId);
  if (row === null) return;
  await attachPhotos(transaction, viewer, row, imageIds);
  await copyMessages(transaction, viewer, row, messageIds);
}

/**
 * The client says that there was a problem: until an admin decides, nothing is confirmed and nothing is paid out.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `storage_file_not_found`,
 * `general_argument_invalid` for messages that cannot be added
 */
export async function openDispute(
  platform: DisputeContext,
  viewer: Viewer,
  { interactionId, reason, story, ...evidence }: NewDispute,
): Promise<DisputedRequest> {
  await applyTransition(platform, viewer, interactionId, {
    steps: ['dispute'],
    set: () => ({ disputedAt: sql`now()` }),
    also: async (transaction) => {
      await transaction.insert(disputes).values({ interactionId, reason, story });
      await addEvidence(transaction, viewer, interactionId, evidence);
      await notify(transaction, { event: 'disputed', interactionId, to: ['client', 'creator'] });
    },
  });
  return readDispute(platform.database, viewer, interactionId);
}

/**
 * The creator answers an open dispute, once.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `storage_file_not_found`,
 * `general_argument_invalid` for messages that cannot be added
 */
export async function answerDispute(
  platform: DisputeContext,
  viewer: Viewer,
  { interactionId, story, ...evidence }: NewAnswer,
): Promise<DisputedRequest> {
  await applyTransition(platform, viewer, interactionId, {
    steps: ['answerDispute'],
    set: () => ({}),
    also: async (transaction) => {
      await transaction
        .update(disputes)
        .set({ answer: story, answeredAt: sql`now()` })
        .where(eq(disputes.interactionId, interactionId));
      await addEvidence(transaction, viewer, interactionId, evidence);
      await notify(transaction, { event: 'disputeAnswered', interactionId, to: ['client'] });
    },
  });
  return readDispute(platform.database, viewer, interactionId);
}
