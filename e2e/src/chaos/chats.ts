import { conversations } from '@tara/contract/messages/conversations';
import { type Chat, type ChatKind, type Message, messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import {
  acceptVerifications,
  confirmEmail,
  makeAdmin,
  newPerson,
  type Person,
  reachStage,
  readProfile,
  sendVerification,
  signUp,
} from '../steps.ts';
import type { Tara } from '../tara.ts';

/** A chat of two people who can both write, of either kind. */
export interface OpenChat {
  id: string;
  kind: ChatKind;
  people: [Person, Person];
  /** Their profiles. */
  profileIds: [string, string];
  send(from: Person, text: string, clientKey: string): Promise<Message>;
  /** The chat as one of the two sees it. */
  read(
    who: Person,
  ): Promise<{ unread: number; read: number; otherRead: number | null; lastSequence: number }>;
}

/** All messages after a sequence, in their order. */
export async function readAfter({ client }: Person, chatId: string, sequence: number): Promise<Message[]> {
  const read: Message[] = [];
  for (;;) {
    const after = read.at(-1)?.sequence ?? sequence;
    const { items, hasMore } = await client.call(messages.list, {
      params: { chatId },
      query: { after, pages: 20 },
    });
    read.push(...items);
    if (!hasMore) return read;
  }
}

async function join(tara: Tara, name: string): Promise<Person> {
  const person = newPerson(tara, name);
  await signUp(tara, person);
  await confirmEmail(tara, person);
  return person;
}

function planChat(id: string, people: [Person, Person], profileIds: [string, string]): OpenChat {
  return {
    ...{ id, kind: 'receipt', people, profileIds },
    send: ({ client }, message, clientKey) =>
      client.call(receipts.sendMessage, { body: { conversation: id, message, clientKey } }),
    read: async ({ client }) => {
      const { chat } = await client.call(receipts.receipt, { params: { id }, query: {} });
      return summary(chat);
    },
  };
}

async function beginConversation(people: [Person, Person], profileIds: [string, string]): Promise<OpenChat> {
  const body = { creator1: profileIds[0], creator2: profileIds[1] };
  const { id, mixId } = await people[0].client.call(conversations.createConversation, { body });
  return {
    ...{ id, kind: 'conversation', people, profileIds },
    send: ({ client }, text, clientKey) =>
      client.call(conversations.sendMessage, { body: { convoId: id, body: text, clientKey } }),
    read: async ({ client }) => {
      const { conversation } = await client.call(conversations.conversation, {
        params: { mixId },
        query: {},
      });
      return summary(conversation.chat);
    },
  };
}

const summary = (chat: Chat) => ({
  unread: chat.unread,
  read: chat.own.read,
  otherRead: chat.other?.read ?? null,
  lastSequence: chat.lastSequence,
});

/** Opens, for each of `count` pairs, their plan chat and their conversation. */
export async function openChats(tara: Tara, count: number): Promise<OpenChat[]> {
  const admin = await join(tara, 'Boss');
  await makeAdmin(tara, admin);
  const chats: OpenChat[] = [];
  for (let number = 0; number < count; number++) {
    const [creator, client] = [await join(tara, `Ana ${number}`), await join(tara, `Ben ${number}`)];
    for (const [index, person] of [creator, client].entries())
      await sendVerification(person, 10 * number + index);
    await acceptVerifications(admin);
    const { chatId } = await reachStage({ creator, client, admin }, 'chatting');
    const pair: [Person, Person] = [creator, client];
    const ids: [string, string] = [(await readProfile(creator)).id, (await readProfile(client)).id];
    chats.push(planChat(chatId, pair, ids), await beginConversation(pair, ids));
  }
  return chats;
}
