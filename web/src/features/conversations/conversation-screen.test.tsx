import { conversations } from '@tara/contract/messages/conversations';
import { screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  longText,
  longWord,
  sampleChat,
  sampleConversation,
  sampleMessage,
  samplePage,
  samplePerson,
  samplePicture,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply, type Sight } from '../../testing/screen.tsx';

const where = { params: { mixId: 'AnaBen' }, query: { pages: 10 } };
const opened = (
  items = [sampleMessage()],
  chat: Parameters<typeof sampleChat>[0] = {},
  conversation: Parameters<typeof sampleConversation>[0] = {},
) =>
  reply(
    conversations.conversation,
    {
      conversation: sampleConversation({ chat: sampleChat(chat), ...conversation }),
      messages: { items, hasMore: false },
    },
    where,
  );
const list = reply(conversations.list, samplePage([]));

const noMessages = {
  replies: [opened([])],
  shows: ['No messages.', ['textbox', 'Message']] satisfies Sight[],
};

describeScreen('/_main/chats/$id', {
  path: '/chats/Ben?id=AnaBen&mixId=AnaBen',
  replies: [opened()],
  loading: 'Loading the chat',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Ben'],
      'Online',
      'See you at six.',
      'No more conversation.',
      ['link', 'Profile of Ben'],
      ['link', 'Back to the chats'],
      ['textbox', 'Message'],
      ['button', 'Add a picture'],
    ],
  },
  empty: noMessages,
  longTexts: {
    replies: [
      opened([sampleMessage({ body: longText })], {}, { person: samplePerson('Ben', { name: longWord }) }),
    ],
    shows: [longText, ['heading', longWord]],
  },
  forbidden: {
    viewer: sampleSession('Lia'),
    replies: [list],
    shows: [],
    hides: ['See you at six.'],
    endsAt: '/chats',
  },
  more: {
    'the conversation with its messages (§2-conversation)': {
      shows: [['heading', 'Ben'], 'See you at six.', ['textbox', 'Message']],
    },
    'a conversation without messages reads ‘No messages.’ (§8-empty-messages)': noMessages,
    'the beginning of its messages reads ‘No more conversation.’ (§8-no-more-messages)': {
      shows: ['See you at six.', 'No more conversation.'],
    },
    'a guest': guestsSignIn,
    'an address without a pair (§5-conversation-guard)': {
      path: '/chats/Ben',
      replies: [list],
      shows: [],
      endsAt: '/chats',
    },
    'the pair of others (§5-conversation-guard)': {
      path: '/chats/Ben?mixId=Ben-Carl',
      replies: [list],
      shows: [],
      endsAt: '/chats',
    },
    'a pair that has one’s profile and not one’s account (§5-conversation-guard)': {
      viewer: sampleSession('Ana', { account: { id: 'account1' } }),
      replies: [list],
      shows: [],
      endsAt: '/chats',
    },
    'an unknown pair': {
      replies: [refusal(conversations.conversation, 'conversation_not_found', where)],
      shows: ['There is no such conversation.'],
      hides: [['textbox', 'Message']],
    },
    'whoever opens an expired chat is told to get one of the friend’s plans (§1-chat-expiry, §8-expired-chat)':
      {
        replies: [opened([sampleMessage()], { readOnly: 'expired' })],
        shows: [
          'See you at six.',
          'Expired Conversation',
          'if you want to continue chatting with your friends get one of their plan',
          ['link', 'Plans of Ben'],
        ],
        hides: [['textbox', 'Message']],
      },
    blocked: {
      replies: [
        opened([sampleMessage()], { readOnly: 'blocked' }, { person: samplePerson('Ben', { id: '' }) }),
      ],
      shows: ['See you at six.', 'you can no longer write to each other.'],
      hides: [
        ['textbox', 'Message'],
        ['link', 'Profile of Ben'],
      ],
    },
    'a message request': {
      replies: [opened([sampleMessage()], { request: 'received' })],
      shows: [
        'Ben wants to write to you.',
        ['button', 'Accept'],
        ['button', 'Ignore'],
        ['button', 'Block'],
        ['button', 'Report'],
      ],
    },
    'a message request of one’s own': {
      replies: [opened([sampleMessage({ userId: 'Ana', name: 'Ana' })], { request: 'sent' })],
      shows: [/Until it is accepted you can send 3 messages, without pictures/, ['textbox', 'Message']],
      hides: [['button', 'Add a picture']],
    },
    'a message request of one’s own with all its messages': {
      replies: [
        opened([sampleMessage({ userId: 'Ana', name: 'Ana', sequence: 3 })], {
          request: 'sent',
          lastSequence: 3,
        }),
      ],
      shows: ['Your message request waits for an answer', /until they accept it you can send 3 messages/],
      hides: [
        ['textbox', 'Message'],
        ['button', 'Add a picture'],
      ],
    },
    'an unsent message has no image, and reads ‘message unsent’ (§4-unsend, §4-unsend-image)': {
      replies: [opened([sampleMessage({ body: 'message unsent', unsent: true, picture: samplePicture })])],
      shows: ['message unsent'],
      hides: [['button', /full screen/]],
    },
    'an admin message carries the name Tara and is labelled ‘admin’ (§3-chat-message-admin)': {
      replies: [
        opened([sampleMessage({ userId: '', name: 'Tara', admin: true, body: 'The payment arrived.' })]),
      ],
      shows: ['Tara', 'admin', 'The payment arrived.'],
    },
    'a link, and text that is not a link': {
      replies: [opened([sampleMessage({ body: 'Look at example.com/map and javascript:alert(1)' })])],
      shows: [['link', 'example.com/map'], /javascript:alert/],
      hides: [['link', /javascript/]],
    },
    'new messages, and the marks of the other': {
      replies: [
        opened(
          [
            sampleMessage({ sequence: 1, clientKey: 'one', userId: 'Ana', name: 'Ana', body: 'Hello' }),
            sampleMessage({ sequence: 2, clientKey: 'two', body: 'Hi' }),
          ],
          { lastSequence: 2, unread: 1, own: { delivered: 1, read: 1 }, other: { delivered: 2, read: 2 } },
        ),
      ],
      shows: ['New messages', /· Read/],
    },
    'a proposal to pay elsewhere, of the other': {
      replies: [opened([sampleMessage({ body: 'Just pay me directly on GCash' })])],
      shows: ['Stay on Tara to stay protected.', 'Manatili sa Tara para protektado ka.'],
    },
    'one’s own proposal, and a warning that was read': {
      replies: [
        opened([
          sampleMessage({ body: 'Just pay me directly on GCash', userId: 'Ana', name: 'Ana' }),
          sampleMessage({ sequence: 2, clientKey: 'two', body: 'Just pay me directly on GCash' }),
        ]),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'I have read it' }));
      },
      shows: [['textbox', 'Message']],
      hides: ['Stay on Tara to stay protected.'],
    },
    'a last visit, and no marks': {
      replies: [
        opened(
          [sampleMessage({ userId: 'Ana', name: 'Ana' })],
          { other: null },
          { online: false, lastSeenAt: '2026-01-02T03:04:05.000+00:00' },
        ),
      ],
      shows: [/^Last seen/],
      hides: [/· (Sent|Delivered|Read)/],
    },
    'a hidden last visit: the username is shown instead': {
      replies: [
        opened(undefined, {}, { online: false, person: samplePerson('Ben', { username: 'ben.santos' }) }),
      ],
      shows: ['@ben.santos'],
      hides: ['Online', /Last seen/],
    },
    'the menu of a message, by its button': {
      replies: [opened()],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'More about the message of Ben' }));
        await user.click(await screen.findByRole('menuitem', { name: 'Reply' }));
      },
      shows: ['Reply to Ben', ['button', 'Cancel the reply']],
    },
    'messages wait for the network, all that are behind one too': {
      replies: [opened(), refusal(conversations.sendMessage, 'general_unavailable')],
      steps: async (user) => {
        for (const text of ['one', 'two']) {
          await user.click(await screen.findByRole('textbox', { name: 'Message' }));
          await user.paste(text);
          await user.click(await screen.findByRole('button', { name: 'Send' }));
        }
        await vi.waitFor(() => expect(screen.getAllByText('Waiting for the network')).toHaveLength(2));
      },
      shows: ['one', 'two', 'Tara cannot be reached. Trying again.'],
      hides: ['Waiting to be sent', 'Sending…'],
    },
  },
});
