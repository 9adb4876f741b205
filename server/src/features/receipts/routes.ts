import { receipts } from '@tara/contract/receipts';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceInteraction, readInteraction } from '../interactions/index.ts';
import { announceReceipt } from './announce.ts';
import { openReceipt } from './open.ts';
import { findReceipt, listMessages } from './read.ts';
import { messageSender } from './send.ts';

/** Binds the calls of per-plan chats (`contract/src/receipts.ts`). */
export function receiptRoutes(app: FastifyInstance, platform: Platform): void {
  const { database, bus } = platform;
  const send = messageSender(platform);
  serve(app, receipts.createConversationReceipt, async ({ viewer, body }) => {
    const { receipt, blocked } = await database.transaction((transaction) =>
      openReceipt(transaction, viewer, body.interactionId),
    );
    if (!blocked) announceReceipt(bus, receipt);
    await announceInteraction(platform, receipt.interactionId);
    return receipt;
  });
  serve(app, receipts.receipt, async ({ viewer, params, query }) => {
    const receipt = await findReceipt(database, viewer, params.id);
    const [interaction, messages] = await Promise.all([
      readInteraction(database, viewer, receipt.interactionId),
      listMessages(database, viewer, receipt, query),
    ]);
    return { receipt, interaction, messages };
  });
  serve(app, receipts.messages, async ({ viewer, params, query }) =>
    listMessages(database, viewer, await findReceipt(database, viewer, params.id), query),
  );
  serve(app, receipts.sendMessage, ({ viewer, body }) => send(viewer, body), { perMinute: 240 });
}
