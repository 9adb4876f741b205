import { messages } from '@tara/contract/messages/messages';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { repairEntries } from './entries.ts';
import { markChat } from './marks.ts';
import { findChat, listMessages } from './read.ts';
import { stopChats } from './stop.ts';
import { removeUnsentMessages, unsendMessage } from './unsend.ts';

/** Binds the calls that both kinds of chat share (`contract/src/messages/messages.ts`). */
export function messageRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  serve(app, messages.list, async ({ viewer, params, query }) => {
    const { row } = await findChat(database, viewer, params.chatId);
    return listMessages(database, viewer, row, query);
  });
  serve(app, messages.unsend, ({ viewer, body }) => unsendMessage(platform, viewer, body));
  serve(
    app,
    messages.mark,
    ({ viewer, body: { chatId, ...mark } }) => markChat(platform, viewer, chatId, mark),
    {
      perMinute: 240,
    },
  );
}

/** Jobs of this feature. */
export const messageTasks = (platform: Pick<Platform, 'database' | 'bus'>) => ({
  ...tasks.repairLists.handledBy(({ lastNotedAt }, { signal }) =>
    repairEntries(platform, new Date(lastNotedAt), signal),
  ),
  ...tasks.stopChats.handledBy(({ profileId }, helpers) => stopChats(platform, profileId, helpers)),
  ...tasks.removeUnsentMessages.handledBy(async (_job, helpers) => {
    while (await removeUnsentMessages(platform, helpers));
  }),
});
