import type { ReceiptMessage } from '@tara/contract/receipts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import { attachFile, files, findOwnFile, notUsable, pictureColumns } from '../files/index.ts';
import { type MessageRow, presentMessage } from './present.ts';
import { type Draft, messageStore, type Outcome } from './store.ts';

const unknownFile = 'receipt_messages_image_id_fkey';

/**
 * Stores a message with a picture: in a transaction, for with it the picture becomes readable to the two members, and to
 * nobody else. @throws Problem `storage_file_not_found` unless it is the writer's own, unused upload.
 */
export async function sendWithPicture(
  database: Database,
  accountId: string,
  draft: Draft & { imageId: string },
): Promise<Outcome> {
  try {
    return await database.transaction(async (transaction) => {
      const imageId = await findOwnFile(transaction, accountId, draft.imageId);
      const [outcome = { state: 'not_found' } as const] = await messageStore(transaction)([
        { ...draft, imageId },
      ]);
      if (outcome.state === 'stored') {
        await attachFile(transaction, {
          id: imageId,
          ownerAccountId: accountId,
          bucket: 'messageFiles',
          readers: [...outcome.accounts],
        });
      }
      return outcome;
    });
  } catch (error) {
    // No such file at all.
    if (violates(error, unknownFile)) throw notUsable('imageId', error);
    throw error;
  }
}

/** Presents a stored message, with its picture when it has one. */
export async function withPicture(database: Database, message: MessageRow): Promise<ReceiptMessage> {
  if (message.imageId === null) return presentMessage(message, null);
  const [picture] = await database
    .select(pictureColumns(files))
    .from(files)
    .where(eq(files.id, message.imageId));
  return presentMessage(message, picture ?? null);
}
