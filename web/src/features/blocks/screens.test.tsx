import { blocks } from '@tara/contract/blocks';
import { posts } from '@tara/contract/posts';
import { profiles } from '@tara/contract/profiles';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { longWord, samplePage, samplePerson, sampleProfile } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const blocked = (...names: string[]) =>
  reply(blocks.blocked, samplePage(names.map((name) => ({ id: name, name, blockedAt: time }))));
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

const of = (id: string) => ({ params: { id } });
const ben = (part = {}) => reply(profiles.get, sampleProfile('Ben', part), of('Ben'));

describeScreen('/_main/profile/$id', {
  path: '/profile/Ben',
  replies: [ben(), reply(posts.byCreator, samplePage([]), of('Ben'))],
  loading: 'Loading the profile',
  error: 'retry',
  full: { shows: [['button', 'More about Ben']] },
  empty: { none: 'the menu is there on every profile but one’s own' },
  longTexts: { none: 'the profile’s own table has them' },
  forbidden: {
    path: '/profile/Ana',
    replies: [
      reply(profiles.get, sampleProfile('Ana'), of('Ana')),
      reply(posts.byCreator, samplePage([]), of('Ana')),
    ],
    shows: ['@Ana'],
    hides: [['button', /More about/]],
  },
  more: {
    'says what a mute does before it is made': {
      replies: [reply(blocks.mute, { status: 'ok' })],
      steps: async (user, answer) => {
        await press(user, 'button', 'More about Ben');
        await press(user, 'menuitem', 'Mute');
        await screen.findByRole('dialog', { name: 'Mute Ben?' });
        await screen.findByText(/You will not see posts, comments and reviews by Ben/);
        answer([ben({ muted: true })]);
        await press(user, 'button', 'Mute');
      },
      shows: ['You muted Ben.', ['button', 'Undo'], ['button', 'Unmute']],
    },
    'says why the posts of a muted member are hidden, and shows them again': {
      replies: [ben({ muted: true }), reply(blocks.unmute, { status: 'ok' })],
      steps: async (user, answer) => {
        await screen.findByText(/You muted Ben/);
        answer([ben({ muted: false })]);
        await press(user, 'button', 'Unmute');
      },
      shows: ['You see what Ben shares again.'],
      hides: [/You muted Ben:/],
    },
    'leaves the profile for the home screen once its member is blocked': {
      replies: [reply(blocks.block, { status: 'ok' })],
      steps: async (user) => {
        await press(user, 'button', 'More about Ben');
        await press(user, 'menuitem', 'Block');
        await press(user, 'button', 'Block');
      },
      shows: ['You blocked Ben.', ['button', 'Undo']],
      endsAt: '/',
    },
  },
});
