import type { NewPlan } from '@tara/contract/plans';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, releaseFile } from '../files/index.ts';
import { planPhotos } from './tables.ts';

interface Pictures {
  coverId: string;
  /** In their order. */
  photoIds: string[];
}

/**
 * Puts the pictures of a plan's form to use: new ones are the viewer's unused uploads, those of `former` stay as they
 * are and are taken out of it.
 * @throws Problem `storage_file_not_found`, `general_argument_invalid` for a cover that is among the other photos
 */
export async function attachPictures(
  transaction: Transaction,
  { accountId: ownerAccountId }: Viewer,
  { imageId, imageIds, title }: Pick<NewPlan, 'imageId' | 'imageIds' | 'title'>,
  former: Set<string> = new Set(),
): Promise<Pictures> {
  if (imageIds.includes(imageId)) {
    throw new Problem('general_argument_invalid', { fields: { imageIds: 'Each photo only once.' } });
  }
  const attach = async (id: string, field: string, alt?: string) => {
    if (former.delete(id)) return id;
    const upload = { id, ownerAccountId, bucket: 'images', field } as const;
    return (await attachFile(transaction, alt === undefined ? upload : { ...upload, alt })).id;
  };
  const coverId = await attach(imageId, 'imageId', title);
  const photoIds: string[] = [];
  for (const id of imageIds) photoIds.push(await attach(id, 'imageIds'));
  return { coverId, photoIds };
}

/** Stores the photos beside the cover. */
export async function insertPhotos(
  transaction: Transaction,
  planId: string,
  photoIds: readonly string[],
): Promise<void> {
  const rows = photoIds.map((imageId, position) => ({ planId, position, imageId }));
  if (rows.length > 0) await transaction.insert(planPhotos).values(rows);
}

/**
 * Replaces the photos of a plan whose row the transaction holds, and gives up those that the form no longer has.
 * @param coverId its cover; null once its creator's account is deleted.
 * @returns the id of the cover now.
 */
export async function replacePictures(
  transaction: Transaction,
  viewer: Viewer,
  { planId, coverId }: { planId: string; coverId: string | null },
  form: Pick<NewPlan, 'imageId' | 'imageIds' | 'title'>,
): Promise<string> {
  const before = await transaction
    .delete(planPhotos)
    .where(eq(planPhotos.planId, planId))
    .returning({ imageId: planPhotos.imageId });
  const former = new Set(before.map(({ imageId }) => imageId));
  if (coverId !== null) former.add(coverId);
  const pictures = await attachPictures(transaction, viewer, form, former);
  await insertPhotos(transaction, planId, pictures.photoIds);
  for (const imageId of former) await releaseFile(transaction, imageId);
  return pictures.coverId;
}
