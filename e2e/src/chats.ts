import { expect, type Locator, type Page } from '@playwright/test';
import { conversations } from '@tara/contract/messages/conversations';
import { receipts } from '@tara/contract/messages/receipts';
import { inDatabase } from './outside.ts';
import { photo } from './photos.ts';
import { type Person, reachStage, readProfile } from './steps.ts';
import type { Tara } from './tara.ts';

/** Chats of two people for browser specs, made by calls, and steps on their screens. */

interface Fixtures {
  joinVerified: (name: string) => Promise<Person>;
  admin: Person;
}

/** What is sent: a text, a picture, or both. */
interface SentMessage {
  body?: string;
  /** The seed of a picture. */
  picture?: number;
}

/** A chat of Ana and Ben, in which both can write. */
export interface TestChat {
  id: string;
  ana: Person;
  ben: Person;
  path: string;
  /** Sends a message of a person through the API; a plain text, or with a picture. */
  send: (from: Person, message: string | SentMessage) => Promise<unknown>;
}

/** The fields of both calls that send a message. */
async function messageFields({ client }: Person, message: string | SentMessage) {
  const { body = '', picture } = typeof message === 'string' ? { body: message } : message;
  const file = picture === undefined ? null : await client.upload('messageFiles', await photo(picture));
  return { text: body, fields: { imageId: file?.$id ?? null, clientKey: crypto.randomUUID() } };
}

async function planChat({ joinVerified, admin }: Fixtures, bensName = 'Ben'): Promise<TestChat> {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified(bensName)];
  const { chatId } = await reachStage({ creator: ana, client: ben, admin }, 'chatting', 'Island hop');
  return {
    id: chatId,
    ana,
    ben,
    path: `/manage-plans/conversation-receipt/${encodeURIComponent(chatId)}`,
    async send(from, sent) {
      const { text, fields } = await messageFields(from, sent);
      const body = { ...fields, conversation: chatId, message: text };
      return from.client.call(receipts.sendMessage, { body });
    },
  };
}

const profileId = async (who: Person) => (await readProfile(who)).id;

/** Sends a message to a conversation. */
export async function writeTo(from: Person, convoId: string, sent: string | SentMessage): Promise<void> {
  const { text, fields } = await messageFields(from, sent);
  await from.client.call(conversations.sendMessage, { body: { ...fields, convoId, body: text } });
}

/** The conversation of two members, begun by the first, with its address. */
export async function beginConversation(
  from: Person,
  to: Person,
): Promise<{ id: string; otherId: string; path: string }> {
  const [creator1, creator2] = [await profileId(from), await profileId(to)];
  const { id, mixId } = await from.client.call(conversations.createConversation, {
    body: { creator1, creator2 },
  });
  return { id, otherId: creator2, path: `/chats/chat?${new URLSearchParams({ id, mixId })}` };
}

/** Moves the end of a conversation into the past: there is no call for it, and a day is the shortest time. */
export const expire = (tara: Tara, conversationId: string): Promise<void> =>
  inDatabase(tara, async (sql) => {
    await sql`
    with expired as (
      update chats set expires_at = now() - interval '1 second' where id = ${conversationId} returning id, expires_at
    )
    update chat_entries set expires_at = expired.expires_at from expired where chat_id = expired.id`;
  });

/** A conversation that began with a message request, 'Hello' of the first, which the second accepted. */
export async function acceptedConversation(ana: Person, ben: Person): Promise<TestChat> {
  const { id, path } = await beginConversation(ana, ben);
  await writeTo(ana, id, 'Hello');
  await ben.client.call(conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
  return { id, ana, ben, path, send: (from, sent) => writeTo(from, id, sent) };
}

const conversation = async ({ joinVerified }: Fixtures, bensName = 'Ben') =>
  acceptedConversation(await joinVerified('Ana'), await joinVerified(bensName));

/** Both kinds of chat, by the name of their tests. */
export const chatKinds = [
  ['plan chat', planChat],
  ['conversation', conversation],
] as const;

/** Opens a chat as Ana and as Ben. */
export async function openForBoth(
  open: (who: Person) => Promise<Page>,
  { ana, ben, path }: Pick<TestChat, 'ana' | 'ben' | 'path'>,
): Promise<[anasPage: Page, bensPage: Page]> {
  const [anasPage, bensPage] = [await open(ana), await open(ben)];
  await anasPage.goto(path);
  await bensPage.goto(path);
  return [anasPage, bensPage];
}

/** The numbers that were written, in the order in which they are shown; a chat begins with other lines. */
export async function shownNumbers(page: Page): Promise<string[]> {
  const texts = page.getByRole('region', { name: 'Messages', exact: true }).locator('p[dir=auto]');
  return (await texts.allTextContents()).filter((text) => /^(one|two|three|four|five)$/.test(text));
}

/** Opens the menu of the message with a text; returns one of its items. */
export async function openMessageMenu(page: Page, text: string, item: string): Promise<Locator> {
  const message = page.getByRole('listitem').filter({ hasText: text });
  await message.hover();
  await message.getByRole('button', { name: /^More about/ }).click();
  const action = page.getByRole('menuitem', { name: item });
  await expect(action).toBeVisible();
  return action;
}
