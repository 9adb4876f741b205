import { posts } from '@tara/contract/posts';
import { receipts } from '@tara/contract/receipts';
import {
  longText,
  sampleChat,
  sampleMessage,
  samplePage,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const chat = { params: { id: 'AnaBen' }, query: { pages: 3 } };
const request = sampleRequest({
  paid: true,
  accepted: true,
  conversationReceipt: 'AnaBen',
  haveConvoReceipt: true,
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

describeScreen('/_main/manage-plans/conversation-receipt/$conversationReceipt', {
  path: '/manage-plans/conversation-receipt/AnaBen?interactionId=request',
  replies: [opened()],
  loading: 'Loading the chat',
  error: 'retry',
  full: {
    rows: '§2-receipt-chat',
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
    rows: '§8-receipt-forbidden',
    viewer: sampleSession('Lia'),
    replies: [reply(posts.feed, samplePage([]))],
    shows: ['You are not allowed to view this', 'You are taken to the home page.'],
    hides: ['See you at six.', ['textbox', 'Message']],
  },
  more: {
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
    completed: {
      replies: [
        opened([sampleMessage()], {
          ...request,
          userSetDone: true,
          adminSetDone: true,
          completed: true,
          stage: 'completed',
        }),
      ],
      shows: ['This plan is completed.', 'See you at six.'],
      hides: [['textbox', 'Message']],
    },
  },
});
