import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Case, subscription } from '../cases.ts';
import { callSdk } from '../sdks.ts';
import type { HeardEvent } from './fixture.ts';

const documentChannel = (collection: string, id: string) =>
  `databases.tara.collections.${collection}.documents.${id}`;

const hasText = (collection: string, text: string) => (event: HeardEvent) =>
  event.payload.$collectionId === collection && Object.values(event.payload).includes(text);

/** Some versions read `$sequence` of documents in one type and open their sockets like those that read the other. */
const withSequenceTexts = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document, (name, value) => (name === '$sequence' ? String(value) : value)));

const policy = (collection: string): Case => ({
  outcome: 'realtime_policy_violation',
  how: 'another project',
  run: ({ otherProjectGuest }, invoke) =>
    invoke(otherProjectGuest(), [documentChannel(collection, 'nothing')], () => {}),
});

/** The subscriptions of §7: each by the id of a document, on which messages are announced as well. */
export const subscriptionCalls = [
  subscription('§7-realtime-chats', 'subscribe to the document of one’s chats', [
    {
      outcome: 'success',
      how: 'receives a message in a chat of the member, and not in chats of others',
      run: async ({ conversation, newMember, listen }, invoke) => {
        const { member, profileId, write } = await conversation();
        const [own, foreign] = [listen(), listen()];
        const stranger = await newMember();
        const channel = documentChannel('conversationOwners', profileId);
        await invoke(stranger.user, [channel, 'account'], foreign.hear);
        await invoke(member.user, [channel], own.hear);
        const text = randomUUID();
        await write(text);
        const { events } = await own.until(hasText('chats', text));
        assert.ok(events.includes('databases.*.collections.*.documents.*.create'));
        // What the stranger receives later came alone.
        await callSdk(stranger.user, 'account', 'updateName', ['Bea Reyes']);
        await foreign.until(({ payload }) => payload.$id === stranger.accountId);
        assert.ok(!foreign.events().some(hasText('chats', text)));
      },
    },
    policy('conversationOwners'),
  ]),
  subscription('§7-realtime-conversation', 'subscribe to a conversation', [
    {
      outcome: 'success',
      how: 'receives the other’s message as the document that one may read',
      run: async ({ conversation, listen }, invoke) => {
        const { member, convoId, write } = await conversation();
        const { hear, until } = listen();
        await invoke(member.user, [documentChannel('conversations', convoId)], hear);
        const text = randomUUID();
        await write(text);
        const { payload } = await until(hasText('chats', text));
        const read = await callSdk(member.user, 'databases', 'getDocument', ['tara', 'chats', payload.$id]);
        assert.deepEqual(withSequenceTexts(payload), withSequenceTexts(read));
      },
    },
    policy('conversations'),
  ]),
  subscription('§7-realtime-receipt', 'subscribe to the chat of a request', [
    {
      outcome: 'success',
      how: 'receives a message of the creator',
      run: async ({ receiptChat, listen }, invoke) => {
        const { member, chatId, write } = await receiptChat();
        const { hear, until } = listen();
        await invoke(member.user, [documentChannel('conversationReceipts', chatId)], hear);
        const text = randomUUID();
        await write(text);
        const { payload } = await until(hasText('chatReceipts', text));
        assert.equal(payload.conversationReceiptId, chatId);
      },
    },
    policy('conversationReceipts'),
  ]),
];
