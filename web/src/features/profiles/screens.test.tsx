import { searchLength } from '@tara/contract/limits';
import { blocks } from '@tara/contract/members/blocks';
import { eachAboutText, profiles, shownAboutFields } from '@tara/contract/members/profiles';
import { reports } from '@tara/contract/members/reports';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleOwnProfile,
  samplePage,
  samplePicture,
  samplePlan,
  samplePost,
  sampleProfile,
  sampleReview,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply, scrollToEnd } from '../../testing/screen.tsx';

const ben = { params: { id: 'Ben' } };
const benMuted = (muted: boolean) => reply(profiles.get, sampleProfile('Ben', { muted }), ben);

describeScreen('/_main/all-users', {
  path: '/all-users',
  replies: [
    reply(profiles.people, samplePage([sampleProfile('Ben', { bio: 'Dives' }), sampleProfile('Lia')])),
  ],
  loading: 'Loading people',
  error: 'retry',
  full: {
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
    'the heading of /all-users is ‘Find Friends’ (§2-all-users)': { shows: [['heading', 'Find Friends']] },
    '/all-users has a search box (§2-all-users-search-box)': {
      shows: [['searchbox', 'Search people by name or hobby']],
    },
    'a grid of user cards, each a link to /profile/{id} (§2-all-users-grid)': {
      replies: [
        reply(
          profiles.people,
          samplePage([
            sampleProfile('Ben', { id: 'b1', accountId: 'b2' }),
            sampleProfile('Lia', { id: 'l1', accountId: 'l2' }),
          ]),
        ),
      ],
      steps: async () => {
        const card = await screen.findByRole('link', { name: /Lia/ });
        expect(card.closest('ul')?.className).toBe('tiles');
      },
      shows: [
        ['link', /Ben/, '/profile/b1'],
        ['link', /Lia/, '/profile/l1'],
      ],
    },
    'pictures of the cards of people have the quality 25 (§9-quality-user-cards)': {
      replies: [reply(profiles.people, samplePage([sampleProfile('Ben', { picture: samplePicture })]))],
      steps: async () => {
        const card = (await screen.findByRole('link', { name: /Ben/ })).closest('article');
        const picture = card?.querySelector('img');
        expect(picture?.getAttribute('src')).toMatch(/quality=25$/);
        expect(picture?.getAttribute('srcset')).not.toMatch(/quality=(?!25 )/);
      },
      shows: [['link', /Ben/]],
    },
    'the people of /all-users go on at their end (§2-all-users-infinite-scroll)': {
      replies: [
        reply(profiles.people, samplePage([sampleProfile('Ben')], 'next')),
        reply(profiles.people, samplePage([sampleProfile('Noor')]), { query: { cursor: 'next' } }),
      ],
      steps: scrollToEnd,
      shows: [
        ['link', /Ben/],
        ['link', /Noor/],
      ],
    },
    'people of the viewer’s city stand under its name, and common hobbies are marked': {
      viewer: sampleSession('Ana', { profile: { city: 'Cebu City', hobby: 'Chess, Tea' } }),
      replies: [
        reply(
          profiles.people,
          samplePage([sampleProfile('Ben', { city: 'cebu city', hobby: 'tea' }), sampleProfile('Lia')]),
        ),
      ],
      steps: async () => {
        const near = within(await screen.findByRole('region', { name: 'In Cebu City' }));
        expect(near.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
          expect.stringContaining('Ben'),
        ]);
        expect(near.getByText('tea').closest('li')?.textContent).toBe('tea, in common');
        const others = within(screen.getByRole('region', { name: 'Elsewhere' }));
        expect(others.getByRole('link', { name: /Lia/ })).toBeDefined();
      },
      shows: ['In Cebu City', 'Elsewhere'],
    },
    'people found by name replace the others (§2-search-replaces, §7-search-users, §1-people-search)': {
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

/** The About panel has this fact under its label. */
const expectFact = async (label: string, text: string) =>
  expect((await screen.findByText(label)).parentElement?.textContent).toBe(`${label}${text}`);

/** Ana at her own profile. */
const own = (part: Parameters<typeof sampleOwnProfile>[1] = {}) => ({
  path: '/profile/Ana',
  replies: [
    reply(profiles.get, sampleOwnProfile('Ana', part), { params: { id: 'Ana' } }),
    reply(posts.byCreator, samplePage([]), { params: { id: 'Ana' } }),
  ],
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
    'the profile of another shows the avatar (§2-profile-avatar)': {
      steps: async () => {
        const avatar = await screen.findByRole('button', { name: 'View the profile picture of Ben' });
        expect(avatar.querySelector('img')?.getAttribute('src')).toMatch(/^[/]x/);
      },
      shows: [['heading', 'Ben']],
    },
    'the profile of another shows the name (§2-profile-name)': { shows: [['heading', 'Ben']] },
    'the profile of another shows the @username (§2-profile-username)': {
      replies: [reply(profiles.get, sampleProfile('Ben', { username: 'ben r' }), ben)],
      shows: ['@ben r'],
    },
    'the profile of another shows the bio (§2-profile-bio)': { shows: ['Dives'] },
    'meetings, stars and plans in one row, the hobbies, and the newest open plan above the posts': {
      replies: [
        reply(
          profiles.get,
          sampleProfile('Ben', {
            hobby: 'Chess, Reefs',
            rating: { stars: 9, totalReviews: 4, totalMeetings: 7 },
          }),
          ben,
        ),
        reply(
          plans.byCreator,
          samplePage([
            samplePlan({ id: 'old', title: 'Closed walk', closedAt: sampleTime }),
            samplePlan({ title: 'Reef dive' }),
          ]),
          ben,
        ),
      ],
      steps: async () => {
        const next = within(await screen.findByRole('region', { name: 'Next plan' }));
        expect(next.getByRole('link', { name: 'Reef dive' })).toBeDefined();
        const hobbies = within(screen.getByRole('list', { name: 'Hobbies' })).getAllByRole('listitem');
        expect(hobbies.map(({ textContent }) => textContent)).toEqual(['Chess', 'Reefs']);
      },
      shows: ['meetings', ['link', /4.5.*4 reviews/], ['link', '2 plans', '/profile/plans/Ben']],
      hides: ['Closed walk'],
    },
    'a collapsible About panel (§2-profile-about)': {
      steps: async (user) => {
        const summary = await screen.findByText('About');
        expect(summary.closest('details')?.open).toBe(false);
        await user.click(summary);
        expect(summary.closest('details')?.open).toBe(true);
      },
      shows: ['Education'],
    },
    'the About panel has what a member works as (§2-profile-working-as)': {
      steps: () => expectFact('Working as', 'Nurse'),
      shows: ['Working as', 'Nurse'],
    },
    'the About panel has ‘Not set yet.’ instead of Student for everybody (§2-profile-working-as)': {
      replies: [
        reply(
          profiles.get,
          sampleProfile('Ben', { education: 'UP', lookingFor: 'x', hobby: 'y', gender: 'z' }),
          ben,
        ),
      ],
      steps: () => expectFact('Working as', 'Not set yet.'),
      shows: ['Working as', 'Not set yet.'],
      hides: ['Student'],
    },
    'the About panel has the education (§2-profile-education)': {
      replies: [reply(profiles.get, sampleProfile('Ben', { education: 'UP Diliman' }), ben)],
      steps: () => expectFact('Education', 'UP Diliman'),
      shows: ['Education', 'UP Diliman'],
    },
    'the About panel has what a member looks for (§2-profile-looking-for)': {
      replies: [reply(profiles.get, sampleProfile('Ben', { lookingFor: 'Friends to hike with' }), ben)],
      steps: () => expectFact('Looking for', 'Friends to hike with'),
      shows: ['Looking for', 'Friends to hike with'],
    },
    'the About panel has the hobby (§2-profile-hobby)': {
      replies: [reply(profiles.get, sampleProfile('Ben', { hobby: 'Guitar' }), ben)],
      steps: () => expectFact('Hobby', 'Guitar'),
      shows: ['Hobby', 'Guitar'],
    },
    'About: each text that they wrote': {
      replies: [
        reply(
          profiles.get,
          sampleProfile(
            'Ben',
            eachAboutText((name) => `my ${name}`),
          ),
          ben,
        ),
      ],
      shows: shownAboutFields.flatMap(({ name, label, place }) =>
        place === undefined ? [`my ${name}`] : [label, `my ${name}`],
      ),
    },
    'the About panel has the verified status (§1-profiles-verified, §2-profile-verified-status, §4-verification-verified)':
      {
        steps: () => expectFact('Verified status', 'Verified'),
        shows: ['Verified status'],
      },
    'the profile of another has a button ‘View Plans’ to /profile/plans/{id} (§2-profile-others-plans)': {
      shows: [['link', 'View Plans', '/profile/plans/Ben']],
    },
    'the profile of another has a button ‘Message’ (§2-profile-message)': {
      shows: [['button', 'Message']],
      hides: [['link', 'Edit Profile']],
    },
    'a toggle switches between the posts and the reviews (§1-profiles-lists, §2-profile-toggle)': {
      replies: [reply(reviews.byOwner, samplePage([sampleReview()]), ben)],
      steps: async (user) => {
        await screen.findByText('A morning').catch(() => screen.findByRole('link', { name: /Sea/ }));
        await press(user, 'Reviews', 'radio');
        await screen.findByText('A day to remember');
        await press(user, 'Posts', 'radio');
      },
      shows: [['link', /Sea/, '/post/p1']],
      hides: ['A day to remember'],
    },
    'a profile without posts reads ‘No current post’ (§2-profile-no-posts)': {
      replies: [reply(posts.byCreator, samplePage([]), ben)],
      shows: ['No current post'],
    },
    'a profile without reviews reads ‘No current Reviews’ (§2-profile-no-reviews)': {
      path: '/profile/Ben?show=reviews',
      replies: [reply(reviews.byOwner, samplePage([]), ben)],
      shows: ['No current Reviews'],
    },
    'a review of the list links to /review-details/{id} (§2-review-cards)': {
      path: '/profile/Ben?show=reviews',
      replies: [reply(reviews.byOwner, samplePage([sampleReview()]), ben)],
      shows: [['link', /^Review by Ben/, '/review-details/review']],
    },
    'says what a mute does before it is made': {
      replies: [reply(blocks.mute, { status: 'ok' })],
      steps: async (user, answer) => {
        await press(user, 'More about Ben');
        await press(user, 'Mute', 'menuitem');
        await screen.findByRole('dialog', { name: 'Mute Ben?' });
        await screen.findByText(/You will not see posts, comments and reviews by Ben/);
        answer([benMuted(true)]);
        await press(user, 'Mute');
      },
      shows: ['You muted Ben.', ['button', 'Undo'], ['button', 'Unmute']],
    },
    'says why the posts of a muted member are hidden, and shows them again': {
      replies: [benMuted(true), reply(blocks.unmute, { status: 'ok' })],
      steps: async (user, answer) => {
        await screen.findByText(/You muted Ben/);
        answer([benMuted(false)]);
        await press(user, 'Unmute');
        await waitFor(() => expect(screen.queryByText(/You muted Ben:/)).toBeNull());
      },
      shows: ['You see what Ben shares again.'],
      hides: [/You muted Ben:/],
    },
    'reports the member with a reason': {
      replies: [reply(reports.create, { status: 'ok' })],
      steps: async (user) => {
        await press(user, 'More about Ben');
        await press(user, 'Report', 'menuitem');
        await press(user, 'Send report');
        await screen.findByText('Please choose a reason.');
        await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'spam');
        await press(user, 'Send report');
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
        await press(user, 'More about Ben');
        await press(user, 'Block', 'menuitem');
        await press(user, 'Block');
      },
      shows: ['You blocked Ben.', ['button', 'Undo']],
      endsAt: '/',
    },
    'the profile of a member who is none says so (§8-missing-user)': {
      replies: [refusal(profiles.get, 'profile_not_found', ben)],
      shows: ['There is no such member.'],
      hides: [['link', 'View Plans']],
    },
    'to others an unverified member is ‘Not yet verified’ (§4-verification-others)': {
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
    'one’s own friends, of whom one is removed': {
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
    'one’s own: ‘View Plans’ leads to /profile/plans/{id} (§2-profile-own-plans)': {
      ...own(),
      shows: [['link', 'View Plans', '/profile/plans/Ana']],
      hides: [['button', 'Message']],
    },
    'one’s own: ‘Edit Profile’ leads to /update-profile (§2-profile-edit)': {
      ...own(),
      shows: [['link', 'Edit Profile', '/update-profile']],
    },
    'one’s own: ‘Get Verified’ leads to /verifying-identity (§2-profile-get-verified)': {
      ...own({ verified: null }),
      shows: [['link', 'Get Verified', '/verifying-identity']],
    },
    'one’s own: the birth date is in its About (§2-profile-birth-date)': {
      ...own(),
      steps: () => expectFact('Birth date', '15/06/95'),
      shows: ['Birth date', '15/06/95'],
    },
    'the profile of another has no birth date in its About panel (§2-profile-birth-date)': {
      shows: ['Verified status'],
      hides: ['Birth date'],
    },
    'one’s own, verified: its status is ‘Verified’ (§4-verification-verified)': {
      ...own(),
      steps: () => expectFact('Verified status', 'Verified'),
      shows: ['Verified status'],
    },
    'one’s own, not verified: its status is a link ‘Get verified’ (§4-verification-get-verified)': {
      ...own({ verified: null }),
      shows: [['link', 'Get verified', '/verifying-identity']],
      hides: ['waiting...'],
    },
    'one’s own: its links, and no chat with oneself (§2-profile-route)': {
      ...own({ verified: null }),
      // The navigation has a link ‘Create Post’, too.
      steps: async () => {
        await within(await screen.findByRole('main')).findByRole('link', { name: 'Create Post' });
      },
      shows: [
        ['link', 'Change your profile picture'],
        ['link', 'Edit Profile'],
        ['link', 'Get Verified'],
        ['link', 'Create Post'],
      ],
      hides: [['button', 'Message']],
    },
    'one’s own, with a request that was sent: its status is ‘waiting...’ (§4-verification-waiting)': {
      ...own({ verified: null, sentVerifiedReq: true }),
      shows: ['waiting...'],
      hides: [['link', 'Get Verified']],
    },
  },
});
