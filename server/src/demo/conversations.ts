import { conversations } from '@tara/contract/messages/conversations';
import { messages as messageCalls } from '@tara/contract/messages/messages';
import type { Journal, People } from './fill.ts';
import world from './world.json' with { type: 'json' };

interface DemoConversation {
  /** Who begins it, and with whom; the first message of a stranger waits as a request unless it is accepted. */
  by: string;
  to: string;
  /** How long ago the newest message was written; beyond a week it has expired. */
  hours: number;
  answer?: string;
  /** How many of the newest messages their reader has not seen. */
  unread: number;
  messages: { by: string; text: string; picture?: string }[];
}

/** One-to-one chats between members. Returns their ids, in their order. */
export function fillConversations({ once }: Journal, people: People): Promise<string[]> {
  const list: DemoConversation[] = world.conversations;
  return Promise.all(
    list.map((conversation, index) => {
      const { by, to, answer, unread, messages } = conversation;
      return once(`conversation ${index}`, async () => {
        const [creator1, creator2] = [people(by).profileId, people(to).profileId];
        const body = { creator1, creator2 };
        const { id } = await people(by).client.call(conversations.createConversation, { body });
        for (const [number, message] of messages.entries()) {
          const { client } = people(message.by);
          // A request is answered before its receiver writes.
          if (number === 1 && answer === 'accept') await accept(people, to, id);
          const imageId = message.picture ? await client.upload('messageFiles', message.picture) : null;
          const sent = { convoId: id, body: message.text, imageId, clientKey: `demo-message-${number}` };
          await client.call(conversations.sendMessage, { body: sent });
        }
        await markRead(people, conversation, id, messages.length - unread);
        return id;
      });
    }),
  );
}

const accept = (people: People, to: string, convoId: string) =>
  people(to).client.call(conversations.answerRequest, { body: { convoId, answer: 'accept' } });

/** Both have read up to a message; who wrote the newest one has read everything. */
async function markRead(
  people: People,
  { by, to, messages }: DemoConversation,
  chatId: string,
  read: number,
): Promise<void> {
  const newestBy = messages.at(-1)?.by;
  for (const key of [by, to]) {
    const through = key === newestBy ? messages.length : read;
    const body = { chatId, delivered: messages.length, read: through };
    if (through > 0) await people(key).client.call(messageCalls.mark, { body });
  }
}
