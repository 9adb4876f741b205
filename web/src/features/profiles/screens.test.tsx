import { blocks } from '@tara/contract/blocks';
import { searchLength } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts';
import { profiles } from '@tara/contract/profiles';
import { reports } from '@tara/contract/reports';
import { reviews } from '@tara/contract/reviews';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleOwnProfile,
  samplePage,
  samplePost,
  sampleProfile,
  sampleReview,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const ben = { params: { id: 'Ben' } };
const benMuted = (muted: boolean) => reply(profiles.get, sampleProfile('Ben', { muted }), ben);
const press = async (who: UserEvent, role: string, name: string | RegExp) =>
  who.click(await screen.findByRole(role, { name }));

describeScreen('/_main/all-users', {
  path: '/all-users',
  replies: [
    reply(profiles.people, samplePage([sampleProfile('Ben', { bio: 'Dives' }), sampleProfile('Lia')])),
  ],
  loading: 'Loading people',
  error: 'retry',
  full: {
    rows: '§2-all-users',
    shows: [
      ['heading', 'Find Friends'],
      ['searchbox', 'Search people by name or hobby'],
      ['link', /Ben/],
      'Dives',
      ['link', /Lia/],
    ],
  },
  empty: { replies: [reply(profiles.people, samplePage([]))], shows: ['Nobody else is here yet'] },
  longTexts: {
    replies: [reply(profiles.people, samplePage([sampleProfile(longWord, { bio: longText })]))],
    shows: [['link', new RegExp(longWord)]],
    hides: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'found by name (§2-search-replaces, §7-search-users)': {
      path: '/all-users?search=li',
      replies: [reply(profiles.people, samplePage([sampleProfile('Lia')]), { query: { search: 'li' } })],
      shows: ['1 person found', ['link', /Lia/]],
      hides: [['link', /Ben/]],
    },
    'a search that is too long': {
      path: `/all-users?search=${'x'.repeat(searchLength + 1)}`,
      replies: [reply(profiles.people, samplePage([]), { query: { search: 'x'.repeat(searchLength) } })],
      shows: ['0 people found'],
    },
    'nobody found': {
      path: '/all-users?search=zz',
      replies: [reply(profiles.people, samplePage([]), { query: { search: 'zz' } })],
      shows: ['0 people found', 'Nobody matches “zz”'],
    },
  },
});

describeScreen('/_main/profile/$id', {
  path: '/profile/Ben',
  replies: [
    reply(profiles.get, sampleProfile('Ben', { bio: 'Dives', workingAs: 'Nurse' }), ben),
    reply(posts.byCreator, samplePage([samplePost({ caption: 'A morning' })]), ben),
  ],
  loading: 'Loading the profile',
  error: 'retry',
  full: {
    rows: '§2-profile-route, §2-profile, §1-profiles',
    shows: [
      ['heading', 'Ben'],
      'A morning',
      ['link', 'View Plans'],
      ['button', 'Message'],
      ['button', 'More about Ben'],
    ],
    hides: [
      ['link', 'Edit Profile'],
      ['button', 'Correct the birth date'],
    ],
  },
  empty: {
    replies: [reply(posts.byCreator, samplePage([]), ben)],
    shows: ['No current post', 'What they share appears here.'],
  },
  longTexts: {
    replies: [
      reply(profiles.get, sampleProfile('Ben', { name: longWord, bio: longText, hobby: longText }), ben),
    ],
    shows: [['heading', longWord], longText],
  },
  forbidden: guestsSignIn,
  more: {
    'says what a mute does before it is made': {
      replies: [reply(blocks.mute, { status: 'ok' })],
      steps: async (user, answer) => {
        await press(user, 'button', 'More about Ben');
        await press(user, 'menuitem', 'Mute');
        await screen.findByRole('dialog', { name: 'Mute Ben?' });
        await screen.findByText(/You will not see posts, comments and reviews by Ben/);
        answer([benMuted(true)]);
        await press(user, 'button', 'Mute');
      },
      shows: ['You muted Ben.', ['button', 'Undo'], ['button', 'Unmute']],
    },
    'says why the posts of a muted member are hidden, and shows them again': {
      replies: [benMuted(true), reply(blocks.unmute, { status: 'ok' })],
      steps: async (user, answer) => {
        await screen.findByText(/You muted Ben/);
        answer([benMuted(false)]);
        await press(user, 'button', 'Unmute');
        await waitFor(() => expect(screen.queryByText(/You muted Ben:/)).toBeNull());
      },
      shows: ['You see what Ben shares again.'],
      hides: [/You muted Ben:/],
    },
    'reports the member with a reason': {
      replies: [reply(reports.create, { status: 'ok' })],
      steps: async (user) => {
        await press(user, 'button', 'More about Ben');
        await press(user, 'menuitem', 'Report');
        await press(user, 'button', 'Send report');
        await screen.findByText('Please choose a reason.');
        await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'spam');
        await press(user, 'button', 'Send report');
      },
      shows: ['Your report was sent.'],
    },
    'says until when the account is suspended, and shows a warning': {
      viewer: sampleSession('Ana', {
        account: { suspendedUntil: '2027-01-05T00:00:00.000+00:00', warning: 'Please be kind.' },
      }),
      shows: [/Your account is suspended until/, 'Please be kind.', ['button', 'I have read it']],
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
    'no such member': {
      replies: [refusal(profiles.get, 'profile_not_found', ben)],
      shows: ['There is no such member.'],
      hides: [['link', 'View Plans']],
    },
    'its About section (§1-profiles, §4-verification)': {
      replies: [
        reply(profiles.get, sampleProfile('Ben', { education: 'UP Diliman', verified: null }), ben),
        reply(posts.byCreator, samplePage([]), ben),
      ],
      steps: async (user) => user.click(await screen.findByText('About')),
      shows: [
        '@Ben',
        'Education',
        'UP Diliman',
        'Looking for',
        'Hobby',
        'Verified status',
        'Not yet verified',
      ],
    },
    'to an admin': {
      viewer: sampleAdminSession('Boss'),
      shows: [['button', 'Correct the birth date']],
    },
    'its reviews': {
      path: '/profile/Ben?show=reviews',
      replies: [reply(reviews.byOwner, samplePage([sampleReview()]), ben)],
      shows: [/A day to remember/],
      hides: ['A morning'],
    },
    'no reviews': {
      path: '/profile/Ben?show=reviews',
      replies: [reply(reviews.byOwner, samplePage([]), ben)],
      shows: ['No current Reviews'],
    },
    'one’s own friends, of whom one is removed (§3-friend-list)': {
      path: '/profile/Ana?show=friends',
      replies: [
        reply(profiles.get, sampleOwnProfile('Ana'), { params: { id: 'Ana' } }),
        reply(profiles.friends, samplePage([sampleProfile('Lia')])),
        reply(profiles.removeFriend, { status: 'ok' }),
      ],
      steps: async (user) => {
        await screen.findByRole('link', { name: /Lia/ });
        await user.click(screen.getByRole('button', { name: 'Remove Lia from your friends' }));
        await user.click(await screen.findByRole('button', { name: 'Remove' }));
      },
      shows: ['Lia is no longer on your friend list.'],
    },
    'no friends yet': {
      path: '/profile/Ana?show=friends',
      replies: [
        reply(profiles.get, sampleOwnProfile('Ana'), { params: { id: 'Ana' } }),
        reply(profiles.friends, samplePage([])),
      ],
      shows: ['No friends yet', ['link', 'Find Friends']],
    },
    'nobody else’s friends': {
      path: '/profile/Ben?show=friends',
      shows: ['A morning'],
      hides: [['radio', 'Friends']],
    },
    'one’s own': {
      path: '/profile/Ana',
      replies: [
        reply(profiles.get, sampleOwnProfile('Ana', { verified: null }), { params: { id: 'Ana' } }),
        reply(posts.byCreator, samplePage([]), { params: { id: 'Ana' } }),
      ],
      shows: [
        ['link', 'Change your profile picture'],
        ['link', 'Edit Profile'],
        ['link', 'Get Verified'],
        ['link', 'Create Post'],
      ],
      hides: [['button', 'Message']],
    },
    'one’s own, sent to be verified (§4-verification)': {
      path: '/profile/Ana',
      replies: [
        reply(profiles.get, sampleOwnProfile('Ana', { verified: null, sentVerifiedReq: true }), {
          params: { id: 'Ana' },
        }),
        reply(posts.byCreator, samplePage([]), { params: { id: 'Ana' } }),
      ],
      shows: ['waiting...'],
      hides: [['link', 'Get Verified']],
    },
  },
});
