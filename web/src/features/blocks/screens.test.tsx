import { maxPagesPerCall } from '@tara/contract/limits';
import { blocks } from '@tara/contract/members/blocks';
import { reports } from '@tara/contract/members/reports';
import { conversations } from '@tara/contract/messages/conversations';
import type { Message } from '@tara/contract/messages/messages';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import {
  longWord,
  sampleConversation,
  sampleMessage,
  samplePage,
  samplePerson,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const blocked = (...names: string[]) =>
  reply(blocks.blocked, samplePage(names.map((name) => ({ id: name, name, mixId: null, blockedAt: time }))));
/** Ben is blocked, and Ana has a chat with him. */
const blockedWithChat = reply(
  blocks.blocked,
  samplePage([{ id: 'Ben', name: 'Ben', mixId: 'BenAna', blockedAt: time }]),
);
/** The chat with Ben, whose id is hidden. */
const chat = (...messages: Message[]) =>
  reply(
    conversations.conversation,
    { conversation: sampleConversation(), messages: { items: messages, hasMore: false } },
    { params: { mixId: 'BenAna' }, query: { pages: maxPagesPerCall } },
  );
const muted = (...names: string[]) =>
  reply(blocks.muted, samplePage(names.map((name) => ({ ...samplePerson(name), mutedAt: time }))));

describeScreen('/_main/settings/blocked', {
  path: '/settings/blocked',
  replies: [blocked('Ben'), muted('Cora')],
  loading: 'Loading blocked people',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Blocked people'],
      'Ben',
      ['button', 'Unblock Ben'],
      ['link', /Cora/],
      ['button', 'Unmute Cora'],
      ['link', 'Settings'],
    ],
    // A blocked member is a name alone.
    hides: [
      ['link', /Ben/],
      ['button', /^Report/],
    ],
  },
  empty: {
    replies: [blocked(), muted()],
    shows: ['You blocked nobody.', 'You muted nobody.'],
    hides: [['button', /Unblock/]],
  },
  longTexts: { replies: [blocked(longWord), muted()], shows: [longWord] },
  forbidden: guestsSignIn,
  more: {
    'ends a block once it is confirmed, and offers to undo that': {
      replies: [reply(blocks.unblock, { status: 'ok' })],
      steps: async (user, answer) => {
        await press(user, 'Unblock Ben');
        answer([blocked()]);
        await press(user, 'Unblock');
      },
      shows: ['You unblocked Ben.', ['button', 'Undo'], 'You blocked nobody.'],
    },
    'a chat that remains, to be read': {
      replies: [blockedWithChat],
      steps: async () => {
        const link = await screen.findByRole('link', { name: 'Read the chat with Ben' });
        expect(link.getAttribute('href')).toBe('/chats/Ben?mixId=BenAna');
      },
      shows: [['button', 'Report these messages of Ben']],
    },
    'a chat that remains, to be reported by its newest message of the other': {
      replies: [
        blockedWithChat,
        chat(
          ...[
            { id: 'own', sequence: 4, userId: 'Ana' },
            { id: 'line', sequence: 3, userId: '', admin: true },
            { id: 'theirs', sequence: 2, userId: '' },
            { id: 'older', sequence: 1, userId: '' },
          ].map((part) => sampleMessage(part)),
        ),
        reply(reports.create, { status: 'ok' }),
      ],
      steps: async (user) => {
        await press(user, 'Report these messages of Ben');
        await user.selectOptions(await screen.findByRole('combobox', { name: 'Reason' }), 'harassment');
        await press(user, 'Send report');
      },
      shows: ['Your report was sent.'],
    },
    'a chat that remains, without messages of the other': {
      replies: [blockedWithChat, chat(sampleMessage({ userId: 'Ana' }))],
      steps: (user) => press(user, 'Report these messages of Ben'),
      shows: ['There are no messages of Ben to report.'],
    },
    'keeps the list when ending the block fails': {
      replies: [refusal(blocks.unblock, 'general_unavailable')],
      steps: async (user) => {
        await press(user, 'Unblock Ben');
        await press(user, 'Unblock');
      },
      shows: ['Tara is busy', ['button', 'Unblock Ben']],
    },
  },
});
