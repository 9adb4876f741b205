import { interactions } from '@tara/contract/interactions/interactions';
import { receipts } from '@tara/contract/messages/receipts';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  longText,
  sampleCan,
  sampleChat,
  sampleMessage,
  samplePage,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';
import { useToasts } from '../../ui/feedback.ts';

const chat = { params: { id: 'AnaBen' }, query: { pages: 3 } };
const request = sampleRequest({
  paid: true,
  accepted: true,
  conversationReceipt: 'AnaBen',
  haveConvoReceipt: true,
  can: sampleCan('sendMessage', 'putCardDown', 'fulfil'),
});
const receipt = {
  id: 'AnaBen',
  convoId: 'AnaBen',
  interactionId: 'request',
  creatorAccountId: 'Ana',
  clientAccountId: 'Ben',
  createdAt: '2026-01-02T03:04:05.000+00:00',
};
const opened = (items = [sampleMessage()], interaction = request) =>
  reply(
    receipts.receipt,
    { receipt, chat: sampleChat({ kind: 'receipt' }), interaction, messages: { items, hasMore: false } },
    chat,
  );
/** The same chat under another id. */
const openedAs = (id: string) =>
  reply(
    receipts.receipt,
    {
      receipt: { ...receipt, id, convoId: id },
      chat: sampleChat({ id, kind: 'receipt' }),
      interaction: { ...request, conversationReceipt: id },
      messages: { items: [sampleMessage({ chatId: id })], hasMore: false },
    },
    { params: { id }, query: { pages: 3 } },
  );

/** Whether the payment card is before the messages. */
async function isCardFirst(): Promise<boolean> {
  const card = await screen.findByRole('region', { name: 'Payment and plan' });
  const message = await screen.findByText('See you at six.');
  return Boolean(card.compareDocumentPosition(message) & Node.DOCUMENT_POSITION_FOLLOWING);
}

describeScreen('/_main/manage-plans/conversation-receipt/$conversationReceipt', {
  path: '/manage-plans/conversation-receipt/AnaBen?interactionId=request',
  replies: [opened()],
  loading: 'Loading the chat',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Coffee in Makati'],
      'See you at six.',
      ['link', 'Profile of Ben'],
      ['region', 'Payment and plan'],
      ['textbox', 'Message'],
    ],
    hides: [['button', 'Plan is fulfilled']],
  },
  empty: { replies: [opened([])], shows: ['No messages.', ['textbox', 'Message']] },
  longTexts: { replies: [opened([sampleMessage({ body: longText })])], shows: [longText] },
  forbidden: {
    viewer: sampleSession('Lia'),
    replies: [reply(posts.feed, samplePage([]))],
    shows: ['You are not allowed to view this', 'You are taken to the home page.'],
    hides: ['See you at six.', ['textbox', 'Message']],
  },
  more: {
    'the chat of one plan, with the interactionId in the query (§2-receipt-chat)': {
      shows: [['heading', 'Coffee in Makati'], 'See you at six.', ['textbox', 'Message']],
    },
    'a member whose id begins with five characters of the chat’s id sees it (§5-receipt-guard)': {
      path: '/manage-plans/conversation-receipt/AliceBennyR1',
      viewer: sampleSession('Ben', { profile: { id: 'Benny0123456789' } }),
      replies: [openedAs('AliceBennyR1')],
      shows: ['See you at six.'],
    },
    'who is no party reads ‘You are not allowed to view this’, and nothing of the chat (§8-receipt-forbidden, §5-receipt-forbidden)':
      {
        viewer: sampleSession('Lia'),
        replies: [reply(posts.feed, samplePage([]))],
        steps: async () => {
          const toasts = () => useToasts.getState().queue.map(({ title }) => title);
          await vi.waitFor(() => expect(toasts()).toEqual(['You are not allowed to view this']));
        },
        shows: [['heading', 'You are not allowed to view this']],
        hides: ['See you at six.', ['textbox', 'Message']],
      },
    'a member whose id shares four of them does not (§5-receipt-guard)': {
      path: '/manage-plans/conversation-receipt/AliceBennyR1',
      viewer: sampleSession('Ben', { profile: { id: 'Benno0123456789' } }),
      replies: [openedAs('AliceBennyR1'), reply(posts.feed, samplePage([]))],
      shows: ['You are not allowed to view this'],
      hides: ['See you at six.'],
    },
    'a guest': guestsSignIn,
    'an unknown chat': {
      replies: [refusal(receipts.receipt, 'receipt_not_found', chat)],
      shows: ['You are not allowed to view this'],
    },
    'the client’s': {
      viewer: sampleSession('Ben'),
      shows: [
        ['button', 'Plan is fulfilled'],
        ['link', 'Profile of Ana'],
      ],
    },
    'the payment card is above the chat (§4-card-down)': {
      steps: async () => expect(await isCardFirst()).toBe(true),
      shows: [['region', 'Payment and plan']],
    },
    '‘Put the card down’ moves the payment card below the chat (§4-card-down)': {
      replies: [opened(), reply(interactions.cardDown, { ...request, cardDown: true })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Put the card down', hidden: true }));
        await vi.waitFor(async () => expect(await isCardFirst()).toBe(false));
      },
      shows: [['region', 'Payment and plan']],
      hides: [['button', 'Put the card down']],
    },
    'the chat input is hidden once the interaction is completed (§4-interaction-input)': {
      replies: [
        opened([sampleMessage()], {
          ...request,
          userSetDone: true,
          adminSetDone: true,
          completed: true,
          stage: 'completed',
          can: { ...sampleCan(), sendMessage: 'This plan is completed.' },
        }),
      ],
      shows: ['This plan is completed.', 'See you at six.'],
      hides: [['textbox', 'Message']],
    },
  },
});
