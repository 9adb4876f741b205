import { plans } from '@tara/contract/plans';
import { posts } from '@tara/contract/posts';
import { profiles } from '@tara/contract/profiles';
import { fireEvent, screen, waitForElementToBeRemoved } from '@testing-library/react';
import { longText, samplePage, samplePlan, samplePost, sampleProfile } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, reply } from '../../testing/screen.tsx';

const caption = 'A morning in Moalboal';
const popular = reply(
  posts.popular,
  samplePage([
    samplePost({ caption, createdAt: new Date().toISOString() }),
    samplePost({ id: 'p2', caption: 'Second', picture: { ...samplePost().picture, alt: '' } }),
  ]),
);
const results = (search: string, ...captions: string[]) =>
  reply(
    posts.search,
    { items: captions.map((text, index) => samplePost({ id: `r${index}`, caption: text })) },
    { query: { search } },
  );

describeScreen('/_main/explore', {
  path: '/explore',
  replies: [popular],
  loading: 'Loading posts',
  error: 'retry',
  full: {
    rows: '§2-explore, §4-search-and-time',
    shows: [
      ['heading', 'Search Post'],
      ['searchbox', 'Search posts, plans and people'],
      ['heading', 'Popular Today'],
      ['region', 'Popular Today'],
      ['radio', 'All'],
      ['radio', 'Plans'],
      // The first is of today (§4-search-and-time); the second has no description of its picture.
      ['link', /^Sea New/],
      ['link', /^Second/],
      'You have seen all posts.',
    ],
    hides: ['No current post', ['link', /Second.*New/]],
  },
  empty: {
    replies: [reply(posts.popular, samplePage([]))],
    shows: ['No current post', ['link', 'Create Post']],
    hides: ['You have seen all posts.'],
  },
  longTexts: {
    replies: [reply(posts.popular, samplePage([samplePost({ caption: longText })]))],
    shows: [['link', /Salamatpo/]],
    hides: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'search results of every kind replace the list (§2-search-replaces)': {
      path: '/explore?search=reef',
      replies: [
        results('reef', 'Reef walk'),
        reply(plans.search, samplePage([samplePlan({ title: 'Reef dive' })]), { query: { search: 'reef' } }),
        reply(profiles.people, samplePage([sampleProfile('Lia')]), { query: { search: 'reef' } }),
      ],
      shows: ['1 post found', ['link', /Reef walk/], ['link', /Reef dive/], ['link', /Lia/]],
      hides: ['Popular Today', ['link', /Second/], 'You have seen all posts.', ['link', 'All plans']],
    },
    'what is typed is searched after a pause (§9-search-debounce)': {
      path: '/explore?show=posts',
      replies: [results('reef', 'Reef walk', 'Another reef')],
      steps: async (user) => user.type(await screen.findByRole('searchbox'), ' reef '),
      shows: ['2 posts found', ['link', /Another reef/]],
      hides: ['Popular Today'],
    },
    'plans by words, place, price and day': {
      path: '/explore?show=plans&search=dive',
      replies: [
        reply(plans.search, samplePage([samplePlan({ title: 'Reef dive' }), samplePlan({ id: 'p2' })]), {
          query: { search: 'dive' },
        }),
        reply(plans.search, samplePage([samplePlan({ title: 'Reef dive' })]), {
          query: { search: 'dive', place: 'cebu', minPrice: 100, maxPrice: 1500, day: '2030-05-10' },
        }),
      ],
      steps: async (user) => {
        await screen.findByRole('link', { name: /Coffee in Mak/ });
        await user.type(screen.getByRole('textbox', { name: 'Place' }), 'cebu');
        await user.type(screen.getByRole('textbox', { name: 'Price from' }), '₱100');
        await user.type(screen.getByRole('textbox', { name: 'Price up to' }), '1,500');
        fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2030-05-10' } });
        await waitForElementToBeRemoved(screen.queryByRole('link', { name: /Coffee in Mak/ }));
      },
      shows: [['link', /Reef dive/], 'You have seen all plans.'],
    },
    'a filter of plans that no price can be': {
      path: '/explore?show=plans&min=much&max=5',
      replies: [reply(plans.search, samplePage([]), { query: { maxPrice: 5 } })],
      shows: ['A price, such as 500.', 'No plan matches', ['link', 'Show all plans']],
    },
    'no plans yet': {
      path: '/explore?show=plans',
      replies: [reply(plans.search, samplePage([]))],
      shows: ['No current plan is posted'],
    },
    'people, by the search of people': {
      path: '/explore?show=people&search=lia',
      replies: [reply(profiles.people, samplePage([sampleProfile('Lia')]), { query: { search: 'lia' } })],
      shows: ['1 person found', ['link', /Lia/]],
    },
    'another kind keeps the words': {
      path: '/explore?show=posts&search=zz',
      replies: [
        results('zz'),
        reply(profiles.people, samplePage([sampleProfile('Lia')]), { query: { search: 'zz' } }),
      ],
      steps: async (user) => user.click(await screen.findByRole('radio', { name: 'People' })),
      shows: ['1 person found', ['searchbox', 'Search people by name or hobby']],
    },
    'nothing found': {
      path: '/explore?search=zz',
      replies: [
        results('zz'),
        reply(plans.search, samplePage([]), { query: { search: 'zz' } }),
        reply(profiles.people, samplePage([]), { query: { search: 'zz' } }),
      ],
      shows: ['0 posts found', 'Nothing matches “zz”'],
    },
    'people found, but no posts': {
      path: '/explore?search=zz',
      replies: [
        results('zz'),
        reply(plans.search, samplePage([]), { query: { search: 'zz' } }),
        reply(profiles.people, samplePage([sampleProfile('Lia')]), { query: { search: 'zz' } }),
      ],
      shows: [['heading', 'People'], 'No post matches “zz”'],
      hides: ['Nothing matches “zz”'],
    },
    'more than 100 characters are no search and say so': {
      steps: async (user) => {
        await user.click(await screen.findByRole('searchbox'));
        await user.paste('x'.repeat(101));
      },
      shows: [['alert'], 'Must be at most 100 characters.', ['heading', 'Popular Today']],
    },
  },
});
