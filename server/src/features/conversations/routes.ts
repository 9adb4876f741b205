import { largestInteger } from '@tara/contract/fields';
import { conversations } from '@tara/contract/messages/conversations';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { listMessages, markChat, messageSender } from '../messages/index.ts';
import { answerRequest, deleteChat } from './answer.ts';
import { createConversation } from './create.ts';
import { asConversationProblem, findByMixId, listConversations, readConversation } from './read.ts';
import { readSettings, updateSettings } from './settings.ts';

/** Binds the calls of one-to-one chats (`contract/src/messages/conversations.ts`). */
export function conversationRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  const sender = messageSender(platform, 'conversation');
  app.addHook('onClose', sender.close);
  serve(
    app,
    conversations.createConversation,
    ({ viewer, body: { creator1, creator2 } }) =>
      createConversation(platform, viewer, { creator1, creator2 }),
    { perMinute: 30 },
  );
  serve(
    app,
    conversations.sendMessage,
    async ({ viewer, body: { convoId, mixId = '', body, message = '', ...rest } }) => {
      const chatId = convoId ?? (await findByMixId(database, viewer, mixId)).id;
      return {
        status: 'success' as const,
        ...(await sender.send(viewer, { chatId, body: body ?? message, ...rest })),
      };
    },
    { perMinute: 240 },
  );
  serve(app, conversations.conversation, async ({ viewer, params, query }) => {
    const { id } = await findByMixId(database, viewer, params.mixId);
    const [conversation, messages] = await Promise.all([
      readConversation(platform, viewer, id),
      listMessages(database, viewer, { id, kind: 'conversation' }, query),
    ]);
    return { conversation, messages };
  });
  serve(app, conversations.list, ({ viewer, query }) => listConversations(database, viewer, query));
  serve(app, conversations.markRead, async ({ viewer, body }) => {
    const { id } = await findByMixId(database, viewer, body.mixId);
    // A mark stops at the newest message.
    await markChat(platform, viewer, id, { read: largestInteger }).catch((error: unknown) => {
      throw asConversationProblem(error);
    });
  });
  serve(app, conversations.deleteChat, ({ viewer, body }) => deleteChat(platform, viewer, body.convoId));
  serve(app, conversations.answerRequest, ({ viewer, body }) => answerRequest(platform, viewer, body));
  serve(app, conversations.settings, ({ viewer }) => readSettings(database, viewer.profileId));
  serve(app, conversations.updateSettings, async ({ viewer, body }) => {
    const settings = await updateSettings(database, viewer, body);
    const { accountId, profileId } = viewer;
    if (body.showReadMarks !== undefined)
      platform.bus.publish('chatsChanged', { accountId, otherAccountId: null, hides: false });
    if (body.showLastSeen !== undefined)
      platform.bus.publish('presenceChanged', { accountId, profileId, cause: 'setting' });
    return settings;
  });
}
