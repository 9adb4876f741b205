import { interactions } from '@tara/contract/interactions/interactions';
import { profiles } from '@tara/contract/members/profiles';
import { conversations } from '@tara/contract/messages/conversations';
import { posts } from '@tara/contract/posts/posts';
import { act, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { queryClient, queryOf } from '../../lib/queries.ts';
import {
  longText,
  longWord,
  sampleConversation,
  sampleConversationRow,
  sampleCounts,
  samplePage,
  samplePerson,
  sampleProfile,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply, type Sight } from '../../testing/screen.tsx';
import { firstCalls } from '../accounts/index.ts';

type Row = Partial<Parameters<typeof sampleConversationRow>[0]>;
const chats = (...rows: Row[]) =>
  reply(conversations.list, samplePage(rows.map((row) => sampleConversationRow(row))));
const requests = (...rows: Row[]) =>
  reply(
    conversations.list,
    samplePage(rows.map((row) => sampleConversationRow({ request: 'received', ...row }))),
    { query: { requests: 'only' } },
  );
const expired = sampleConversationRow({
  id: 'old',
  mixId: 'CoraAna',
  person: samplePerson('Cora'),
  expired: true,
});
const openMenu = async (who: UserEvent, item: string) => {
  await press(who, 'More about the chat with Ben');
  await press(who, item, 'menuitem');
};
const managed = (...received: ReturnType<typeof sampleRequest>[]) =>
  reply(interactions.manager, {
    friendRequest: samplePage(received),
    yourRequest: samplePage([]),
    earn: samplePage([]),
    expense: samplePage([]),
  });
const friends = (...names: string[]) =>
  reply(profiles.friends, samplePage(names.map((name) => sampleProfile(name))));

const noChats = {
  replies: [chats()],
  shows: ['No Chats', ['button', 'New chat']] satisfies Sight[],
};

describeScreen('/_main/chats/', {
  path: '/chats',
  replies: [
    chats(
      { preview: 'Sa dagat tayo! 🏖️', unread: 3 },
      { id: 'dan', mixId: 'AnaDan', person: samplePerson('Dan', { verified: null }), previewOwn: true },
      { id: 'eva', mixId: 'AnaEva', person: samplePerson('Eva'), preview: '', unread: 100 },
      expired,
    ),
  ],
  loading: 'Loading chats',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Messages'],
      ['link', /^Ben ?Verified.* ?Sa dagat tayo! 🏖️ ?3 unread$/],
      ['link', /^Dan.*You: See you at six\.$/],
      ['link', /^Eva.*No messages\. ?more than 99 unread$/],
      '99+',
      ['button', /^Cora.*expired ?visit my plans!$/],
      ['tab', 'Message requests'],
      ['button', 'New chat'],
    ],
    hides: [['link', /Cora/], 'No Chats'],
  },
  empty: noChats,
  longTexts: {
    replies: [
      chats(
        { person: samplePerson(longWord), preview: longText.slice(0, 100), unread: 1 },
        { id: 'rtl', mixId: 'AnaNoor', person: samplePerson('Noor'), preview: 'مرحبا، نلتقي غدا عند البحر' },
      ),
    ],
    shows: [longWord, longText.slice(0, 100), 'مرحبا، نلتقي غدا عند البحر'],
  },
  forbidden: guestsSignIn,
  more: {
    'a tap on an expired chat shows the notice (§4-expired-tap), with the way to the plans and to what was written (§8-expired-chat)':
      {
        steps: (who) => press(who, /^Cora/),
        shows: [
          ['dialog', 'Expired Conversation'],
          'if you want to continue chatting with your friends get one of their plan',
          ['link', 'View Plans'],
          ['link', 'Read the chat'],
        ],
      },
    'the chat list, in the order of the last update (§2-chats)': {
      steps: async () => {
        await screen.findByRole('link', { name: /^Ben/ });
        const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 3));
        expect(rows.filter((name) => /Ben|Dan|Eva|Cor/.test(name ?? ''))).toEqual([
          'Ben',
          'Dan',
          'Eva',
          'Cor',
        ]);
      },
      shows: [['heading', 'Messages']],
    },
    'an empty list reads ‘No Chats’ (§2-chats-empty, §8-empty-chats)': noChats,
    'the row of an expired chat shows ‘expired’ (§4-expired-row)': { shows: ['expired'] },
    'the row of an expired chat shows ‘visit my plans!’ (§4-expired-row-plans)': {
      shows: ['visit my plans!'],
    },
    'each row opens /chats/{accountId}, whoever began it, with the conversation id and the pair key (§2-chats-rows, §2-conversation-query)':
      {
        viewer: sampleSession('Ana', { account: { id: 'account1' } }),
        replies: [
          chats(
            { id: 'dan', mixId: 'account1account2', person: samplePerson('Dan', { accountId: 'account2' }) },
            { id: 'eva', mixId: 'account3account1', person: samplePerson('Eva', { accountId: 'account3' }) },
          ),
        ],
        shows: [
          ['link', /^Dan/, '/chats/account2?id=dan&mixId=account1account2'],
          ['link', /^Eva/, '/chats/account3?id=eva&mixId=account3account1'],
        ],
      },
    'a chat is deleted once that is confirmed': {
      replies: [reply(conversations.deleteChat, { status: 'ok' })],
      steps: async (who) => {
        await openMenu(who, 'Delete chat');
        await press(who, 'Delete chat');
      },
      shows: ['The chat was deleted.', ['link', /^Dan/]],
      hides: [['link', /^Ben/]],
    },
    'a chat that cannot be deleted stays': {
      replies: [refusal(conversations.deleteChat, 'general_unavailable')],
      steps: async (who) => {
        await openMenu(who, 'Delete chat');
        await press(who, 'Delete chat');
      },
      shows: ['Tara is busy', ['link', /^Ben/]],
    },
    'message requests': {
      replies: [requests({ preview: 'Hello, I am new here.' })],
      steps: (who) => press(who, 'Message requests', 'tab'),
      shows: [['link', /^Ben.*Hello, I am new here\.$/]],
      hides: ['Sa dagat tayo! 🏖️'],
    },
    'unread message requests are counted in their tab': {
      steps: async () => {
        await screen.findByRole('tab', { name: 'Message requests' });
        act(() =>
          queryClient.setQueryData(queryOf(firstCalls.counts).queryKey, sampleCounts({ messageRequests: 2 })),
        );
      },
      shows: [
        ['tab', 'Chats'],
        ['tab', 'Message requests 2 waiting'],
      ],
    },
    'a message request is ignored': {
      path: '/chats?show=requests',
      replies: [requests({}), reply(conversations.answerRequest, { status: 'ok' })],
      steps: async (who, answer) => {
        await screen.findByRole('link', { name: /^Ben/ });
        answer([requests()]);
        await openMenu(who, 'Ignore');
      },
      shows: ['No message requests', 'You ignored Ben.'],
      hides: [['link', /^Ben/]],
    },
    'no message requests': {
      path: '/chats?show=requests',
      replies: [requests()],
      shows: ['No message requests'],
    },
    'a new chat with a friend, or somebody with a plan': {
      replies: [managed(sampleRequest()), friends('Fe', 'Ben')],
      steps: (who) => press(who, 'New chat'),
      shows: [
        ['dialog', 'New chat'],
        ['region', 'You have a plan together'],
        ['region', 'Friends'],
        ['button', /^Ben/],
        ['button', /^Fe/],
      ],
    },
    'a new chat with nobody known': {
      replies: [managed(), friends()],
      steps: (who) => press(who, 'New chat'),
      shows: [/^Search for somebody by name or hobby/],
    },
    'friends for a new chat that cannot be loaded': {
      replies: [managed(), refusal(profiles.friends, 'general_unknown')],
      steps: (who) => press(who, 'New chat'),
      shows: ['Something went wrong.', 'please try again later', ['button', 'Try again']],
    },
    'a new chat with somebody found': {
      replies: [
        managed(),
        friends(),
        reply(profiles.people, samplePage([sampleProfile('Gil')]), { query: { search: 'gil' } }),
        refusal(conversations.conversation, 'conversation_not_found', {
          params: { mixId: 'AnaGil' },
          query: { pages: 1 },
        }),
        reply(
          conversations.createConversation,
          sampleConversation({ id: 'new', mixId: 'AnaGil', person: samplePerson('Gil') }),
        ),
      ],
      steps: async (who) => {
        await press(who, 'New chat');
        await who.type(
          await screen.findByRole('searchbox', { name: 'Search people by name or hobby' }),
          'gil',
        );
        expect(await screen.findByText('1 person found')).toBeTruthy();
        await press(who, /^Gil/);
      },
      shows: [],
      endsAt: '/chats/Gil',
    },
    'nobody found to write to': {
      replies: [
        managed(),
        friends(),
        reply(profiles.people, samplePage([]), { query: { search: longWord.slice(0, 100) } }),
      ],
      steps: async (who) => {
        await press(who, 'New chat');
        await who.click(await screen.findByRole('searchbox', { name: 'Search people by name or hobby' }));
        await who.paste(longWord.slice(0, 100));
      },
      shows: [`Nobody matches “${longWord.slice(0, 100)}”`],
    },
    'a new chat with somebody whose chat expired': {
      replies: [
        managed(),
        friends('Ben'),
        reply(
          conversations.conversation,
          {
            conversation: sampleConversation({ chat: { ...sampleConversation().chat, readOnly: 'expired' } }),
            messages: { items: [], hasMore: false },
          },
          { params: { mixId: 'AnaBen' }, query: { pages: 1 } },
        ),
      ],
      steps: async (who) => {
        await press(who, 'New chat');
        const dialog = within(await screen.findByRole('dialog', { name: 'New chat' }));
        await who.click(await dialog.findByRole('button', { name: /^Ben/ }));
      },
      shows: [['dialog', 'Expired Conversation']],
      hides: [['dialog', 'New chat']],
    },
  },
});

const lookUp = { params: { mixId: 'AnaBen' }, query: { pages: 1 } };
const conversationReply = (part: Parameters<typeof sampleConversation>[0]) =>
  reply(
    conversations.conversation,
    { conversation: sampleConversation(part), messages: { items: [], hasMore: false } },
    lookUp,
  );
const none = refusal(conversations.conversation, 'conversation_not_found', lookUp);
const expiredChat = { ...sampleConversation().chat, readOnly: 'expired' as const };
const pressMessage = (who: UserEvent) => press(who, 'Message');

const newConversation = {
  replies: [none, reply(conversations.createConversation, sampleConversation())],
  steps: pressMessage,
  shows: [],
  endsAt: '/chats/Ben',
};

describeScreen('/_main/profile/$id', {
  path: '/profile/Ben',
  replies: [
    reply(profiles.get, sampleProfile('Ben'), { params: { id: 'Ben' } }),
    reply(posts.byCreator, samplePage([]), { params: { id: 'Ben' } }),
  ],
  loading: 'Loading the profile',
  error: 'retry',
  full: { shows: [['button', 'Message']] },
  empty: newConversation,
  longTexts: { none: 'The table of the profile has it.' },
  forbidden: {
    replies: [none, refusal(conversations.createConversation, 'conversation_not_wanted')],
    steps: pressMessage,
    shows: ['This member does not take new messages from you', ['button', 'View Plans']],
    endsAt: '/profile/Ben',
  },
  more: {
    'the Message button creates a conversation where there is none, then opens it (§4-message-button-none)':
      newConversation,
    'the Message button opens a conversation that exists and is not expired (§4-message-button)': {
      replies: [conversationReply({})],
      steps: pressMessage,
      shows: [],
      endsAt: '/chats/Ben',
    },
    'the Message button looks for a conversation between the two accounts (§4-message-button)': {
      viewer: sampleSession('Ana', { account: { id: 'account1' } }),
      replies: [
        reply(profiles.get, sampleProfile('Ben', { accountId: 'account2' }), { params: { id: 'Ben' } }),
        reply(
          conversations.conversation,
          {
            conversation: sampleConversation({ mixId: 'account1account2' }),
            messages: { items: [], hasMore: false },
          },
          { params: { mixId: 'account1account2' }, query: { pages: 1 } },
        ),
      ],
      steps: pressMessage,
      shows: [],
      endsAt: '/chats/account2',
    },
    'the Message button shows the notice of a conversation that expired (§4-message-button-expired)': {
      replies: [conversationReply({ chat: expiredChat })],
      steps: pressMessage,
      shows: [
        ['dialog', 'Expired Conversation'],
        ['link', 'View Plans'],
        ['link', 'Read the chat'],
      ],
      endsAt: '/profile/Ben',
    },
    'the Message button opens an expired conversation with removeExpired set anyway (§4-message-button-remove-expired)':
      {
        replies: [conversationReply({ chat: expiredChat, removeExpired: true })],
        steps: pressMessage,
        shows: [],
        endsAt: '/chats/Ben',
      },
    'a failure is shown': {
      replies: [refusal(conversations.conversation, 'general_unavailable', lookUp)],
      steps: pressMessage,
      shows: ['Tara is busy', ['button', 'Message']],
    },
  },
});
