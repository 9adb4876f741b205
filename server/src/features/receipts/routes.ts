import { type Receipt, receipts } from '@tara/contract/receipts';
import type { FastifyInstance } from 'fastify';
import { noOwners } from '../../platform/documents.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceInteraction, readInteraction } from '../interactions/index.ts';
import { listMessages, messageSender, readChat } from '../messages/index.ts';
import { openReceipt } from './open.ts';
import { findReceipt } from './read.ts';

/** Tells both members that their chat is open. */
function announceReceipt(bus: Platform['bus'], receipt: Receipt): void {
  bus.publish('document', {
    collection: 'conversationReceipts',
    id: receipt.id,
    change: 'create',
    document: { ...receipt },
    audience: [receipt.creatorAccountId, receipt.clientAccountId],
    owners: noOwners,
  });
}

/** Binds the calls of per-plan chats (`contract/src/receipts.ts`). */
export function receiptRoutes(app: FastifyInstance, platform: Platform): void {
  const { database, bus } = platform;
  const sender = messageSender(platform, 'receipt');
  app.addHook('onClose', sender.close);
  serve(app, receipts.createConversationReceipt, async ({ viewer, body }) => {
    const { receipt, blocked } = await database.transaction((transaction) =>
      openReceipt(transaction, viewer, body.interactionId),
    );
    if (!blocked) announceReceipt(bus, receipt);
    await announceInteraction(platform, receipt.interactionId);
    return receipt;
  });
  serve(app, receipts.receipt, async ({ viewer, params, query }) => {
    const { id } = params;
    const receipt = await findReceipt(database, viewer, id);
    const [chat, interaction, messages] = await Promise.all([
      readChat(database, viewer, id),
      readInteraction(database, viewer, receipt.interactionId),
      listMessages(database, viewer, { id, kind: 'receipt' }, query),
    ]);
    return { receipt, chat, interaction, messages };
  });
  serve(
    app,
    receipts.sendMessage,
    ({ viewer, body: { conversation: chatId, message, imageId = null, replyTo = null, clientKey } }) =>
      sender.send(viewer, { chatId, body: message, imageId, replyTo, clientKey }),
    { perMinute: 240 },
  );
}
