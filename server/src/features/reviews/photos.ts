import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { attachFile, releaseFile } from '../files/index.ts';
import { reviewPhotos } from './tables.ts';

/**
 * Gives a review these photos in this order, in the transaction that holds its row: new ones are the viewer's unused
 * uploads, and those that it had and are not named are given up.
 * @throws Problem `storage_file_not_found`
 */
export async function setPhotos(
  transaction: Transaction,
  viewer: Viewer,
  reviewId: string,
  imageIds: readonly string[],
): Promise<void> {
  const before = await transaction
    .delete(reviewPhotos)
    .where(eq(reviewPhotos.reviewId, reviewId))
    .returning({ imageId: reviewPhotos.imageId });
  const former = new Set(before.map(({ imageId }) => imageId));
  const photos: (typeof reviewPhotos.$inferInsert)[] = [];
  for (const [position, id] of imageIds.entries()) {
    const imageId = former.delete(id) ? id : await attachPhoto(transaction, viewer, id);
    photos.push({ reviewId, position, imageId });
  }
  if (photos.length > 0) await transaction.insert(reviewPhotos).values(photos);
  for (const imageId of former) await releaseFile(transaction, imageId);
}

async function attachPhoto(transaction: Transaction, { accountId }: Viewer, id: string): Promise<string> {
  const photo = { id, ownerAccountId: accountId, bucket: 'images', field: 'imageIds' } as const;
  return (await attachFile(transaction, photo)).id;
}

/** Gives up the photos of a review that is removed. */
export async function removePhotos(transaction: Transaction, reviewId: string): Promise<void> {
  const photos = await transaction
    .delete(reviewPhotos)
    .where(eq(reviewPhotos.reviewId, reviewId))
    .returning({ imageId: reviewPhotos.imageId });
  for (const { imageId } of photos) await releaseFile(transaction, imageId);
}
