import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import type { FastifyInstance } from 'fastify';
import { countRoutes } from '../../features/counts/index.ts';
import { messageRoutes } from '../../features/messages/index.ts';
import { receiptRoutes } from '../../features/receipts/index.ts';
import { newId } from '../../platform/ids.ts';
import type { TestPlatform } from '../platform.ts';
import type { TestServer } from '../server.ts';
import type { Member } from './members.ts';

/** The routes of plan chats with those that all chats share, and what is unread in them. */
export function chatRoutes(app: FastifyInstance, platform: TestPlatform): void {
  receiptRoutes(app, platform);
  messageRoutes(app, platform);
  countRoutes(app, platform);
}

/** The message of a reply that also says that the call succeeded. */
export const messageOf = <Sent extends { status: 'success' }>({ status: _status, ...message }: Sent) =>
  message;

/** Acts on plan chats as their members. */
export const chatActions = (server: TestServer) => ({
  send: async (
    who: Member,
    chatId: string,
    message: string,
    more: { imageId?: string; replyTo?: number } = {},
  ) => {
    const body = { conversation: chatId, message, clientKey: newId(), ...more };
    return messageOf((await server.call(who, receipts.sendMessage, { body })).reply);
  },
  mark: (who: Member, chatId: string, mark: { delivered?: number; read?: number }) =>
    server.call(who, messages.mark, { body: { chatId, ...mark } }),
  unsend: (who: Member, chatId: string, messageId: string) =>
    server.call(who, messages.unsend, { body: { chatId, messageId } }),
  read: (who: Member, id: string) => server.call(who, receipts.receipt, { params: { id } }),
});
