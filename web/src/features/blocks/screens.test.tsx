import { blocks } from '@tara/contract/blocks';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { longWord, samplePage, samplePerson } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const blocked = (...names: string[]) =>
  reply(blocks.blocked, samplePage(names.map((name) => ({ id: name, name, mixId: null, blockedAt: time }))));
const muted = (...names: string[]) =>
  reply(blocks.muted, samplePage(names.map((name) => ({ ...samplePerson(name), mutedAt: time }))));
const press = async (who: UserEvent, role: string, name: string | RegExp) =>
  who.click(await screen.findByRole(role, { name }));

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
    hides: [['link', /Ben/]],
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
        await press(user, 'button', 'Unblock Ben');
        answer([blocked()]);
        await press(user, 'button', 'Unblock');
      },
      shows: ['You unblocked Ben.', ['button', 'Undo'], 'You blocked nobody.'],
    },
    'keeps the list when ending the block fails': {
      replies: [refusal(blocks.unblock, 'general_unavailable')],
      steps: async (user) => {
        await press(user, 'button', 'Unblock Ben');
        await press(user, 'button', 'Unblock');
      },
      shows: ['Tara is busy', ['button', 'Unblock Ben']],
    },
  },
});
