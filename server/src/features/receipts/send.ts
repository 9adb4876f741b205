import type { ReceiptMessage, SendReceiptMessage } from '@tara/contract/receipts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { type Database, isConnectionLoss } from '../../platform/database/connect.ts';
import { isDiskFull, violates } from '../../platform/database/constraint.ts';
import { groupCommit } from '../../platform/database/group-commit.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, files, findOwnFile, notUsable, pictureColumns } from '../files/index.ts';
import { announceMessage } from './announce.ts';
import { type MessageRow, presentMessage } from './present.ts';
import { type Draft, messageStore, type Outcome } from './store.ts';

const unknownFile = 'receipt_messages_image_id_fkey';

/**
 * Stores a message with a picture: in a transaction, for with it the picture becomes readable to the two members, and to
 * nobody else. @throws Problem `storage_file_not_found` unless it is the writer's own, unused upload.
 */
async function sendWithPicture(
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
async function withPicture(database: Database, message: MessageRow): Promise<ReceiptMessage> {
  if (message.imageId === null) return presentMessage(message, null);
  const [picture] = await database
    .select(pictureColumns(files))
    .from(files)
    .where(eq(files.id, message.imageId));
  return presentMessage(message, picture ?? null);
}

type Sent = z.output<typeof SendReceiptMessage>;
type Sender = (viewer: Viewer, sent: Sent) => Promise<ReceiptMessage>;

/** Most messages of one statement: a few milliseconds of work. */
const batchSize = 256;
const clientKeyTaken = 'receipt_messages_receipt_id_user_id_client_key_key';
const isCommon = (error: unknown) => isConnectionLoss(error) || isDiskFull(error);

/**
 * All writes of members to per-plan chats go through the returned function. A message is committed before it is answered or
 * announced; sending again with the same `clientKey` answers the stored one. It throws Problem
 * `receipt_not_found`, `receipt_closed`, `receipt_read_only`, `storage_file_not_found`.
 */
export function messageSender({ database, bus }: Pick<Platform, 'database' | 'bus'>): Sender {
  const commit = groupCommit(messageStore(database), { batchSize, isCommon });
  /** What is being stored, by writer, chat and key: the same message twice at once is stored and announced once. */
  const underway = new Map<string, Promise<ReceiptMessage>>();

  async function store(accountId: string, draft: Draft): Promise<Outcome> {
    const { imageId } = draft;
    try {
      return await (imageId === null
        ? commit(draft)
        : sendWithPicture(database, accountId, { ...draft, imageId }));
    } catch (error) {
      // Another node stored it a moment ago: now it is found.
      if (violates(error, clientKeyTaken)) return commit(draft);
      throw error;
    }
  }

  async function tell(accountId: string, draft: Draft): Promise<ReceiptMessage> {
    const outcome = await store(accountId, draft);
    if (outcome.state === 'not_found') throw new Problem('receipt_not_found');
    if (outcome.state === 'closed') throw new Problem('receipt_closed');
    if (outcome.state === 'read_only') throw new Problem('receipt_read_only');
    const message = await withPicture(database, outcome.message);
    if (outcome.state === 'stored') announceMessage(bus, message, outcome.accounts);
    return message;
  }

  return (viewer, sent) => {
    const key = JSON.stringify([viewer.profileId, sent.conversation, sent.clientKey]);
    const same = underway.get(key);
    if (same) return same;
    const message = tell(viewer.accountId, {
      receiptId: sent.conversation,
      userId: viewer.profileId,
      name: viewer.name,
      body: sent.message,
      imageId: sent.imageId ?? null,
      clientKey: sent.clientKey,
    }).finally(() => underway.delete(key));
    underway.set(key, message);
    return message;
  };
}
