import { receipts } from '@tara/contract/messages/receipts';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { readInteraction } from '../interactions/index.ts';
import { listMessages, messageSender, readChat } from '../messages/index.ts';
import { createReceipt } from './open.ts';
import { findReceipt } from './read.ts';

/** Binds the calls of per-plan chats (`contract/src/messages/receipts.ts`). */
export function receiptRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  const sender = messageSender(platform, 'receipt');
  app.addHook('onClose', sender.close);
  serve(app, receipts.createConversationReceipt, ({ viewer, body }) =>
    createReceipt(platform, viewer, body.interactionId),
  );
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
    async ({ viewer, body: { conversation: chatId, message: body, imageId, replyTo, clientKey } }) => ({
      status: 'success' as const,
      ...(await sender.send(viewer, { chatId, body, imageId, replyTo, clientKey })),
    }),
    { perMinute: 240 },
  );
}
