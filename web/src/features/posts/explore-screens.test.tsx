import { profiles } from '@tara/contract/members/profiles';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { fireEvent, screen, waitForElementToBeRemoved, within } from '@testing-library/react';
import { expect } from 'vitest';
import { longText, samplePage, samplePlan, samplePost, sampleProfile } from '../../testing/samples.ts';
import { describeScreen, EndObserver, guestsSignIn, reply, scrollToEnd } from '../../testing/screen.tsx';

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
    shows: [
      ['heading', 'Search Post'],
      ['searchbox', 'Search posts, plans and people'],
      ['heading', 'Popular Today'],
      ['region', 'Popular Today'],
      ['radio', 'All'],
      ['radio', 'Plans'],
      // The first is of today; the second has no description of its picture.
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
    'the heading of Explore is ‘Search Post’ (§2-explore)': { shows: [['heading', 'Search Post']] },
    'Explore has a search box (§2-explore-search-box)': { shows: [['searchbox']] },
    'a section ‘Popular Today’ (§2-explore-popular)': { shows: [['region', 'Popular Today']] },
    'the section ‘Popular Today’ has an All filter label (§2-explore-all)': {
      steps: async () => {
        const section = await screen.findByRole('region', { name: 'Popular Today' });
        expect(within(section).getByText('All')).toBeTruthy();
      },
      shows: [['radio', 'All']],
    },
    'a grid of posts (§2-explore-grid)': {
      steps: async () => {
        const tile = await screen.findByRole('link', { name: /^Second/ });
        expect(tile.closest('ul')?.className).toBe('wall');
      },
      shows: [
        ['link', /^Sea/, '/post/p1'],
        ['link', /^Second/, '/post/p2'],
      ],
    },
    'the posts of Explore go on at their end (§2-explore-infinite-scroll)': {
      replies: [
        reply(posts.popular, samplePage([samplePost({ caption })], 'next')),
        reply(posts.popular, samplePage([samplePost({ id: 'p9' })]), { query: { cursor: 'next' } }),
      ],
      steps: scrollToEnd,
      shows: [
        ['link', /Sea/, '/post/p1'],
        ['link', /Sea/, '/post/p9'],
      ],
    },
    'posts of the last 24 hours are marked ‘New’ (§4-recent)': {
      replies: [
        reply(
          posts.popular,
          samplePage([
            samplePost({ createdAt: new Date(Date.now() - 86_400_000 + 60_000).toISOString() }),
            samplePost({ id: 'p2', createdAt: new Date(Date.now() - 86_400_000 - 60_000).toISOString() }),
          ]),
        ),
      ],
      shows: [
        ['link', /New/, '/post/p1'],
        ['link', /Sea/, '/post/p2'],
      ],
      hides: [['link', /New/, '/post/p2']],
    },
    'a post of text shows it as its picture, one that shares a new picture shows the picture': {
      replies: [
        reply(
          posts.popular,
          samplePage([
            samplePost({ usedDp: true, caption: 'Who is up for tea?' }),
            samplePost({ id: 'p2', usedDp: true, caption: 'I have a new profile picture.' }),
          ]),
        ),
      ],
      steps: async () => {
        const textPost = await screen.findByRole('link', { name: /^Who is up for tea/ });
        expect(textPost.querySelector('img')).toBeNull();
        expect(textPost.getAttribute('href')).toBe('/post/p1');
        expect(document.querySelectorAll('main li img')).toHaveLength(1);
      },
      shows: [['link', /Who is up for tea/, '/post/p1']],
    },
    'a search stops the infinite loading of the posts (§2-search-stops-loading)': {
      path: '/explore?search=reef&show=posts',
      replies: [results('reef', 'Reef walk'), reply(posts.popular, samplePage([samplePost()], 'next'))],
      steps: async () => {
        await screen.findByText('1 post found');
        expect(EndObserver.open.size).toBe(0);
      },
      shows: [['link', /Reef walk/]],
      hides: ['Popular Today', ['link', /^Sea/, '/post/p1']],
    },
    'search results of every kind replace the list (§2-search-replaces, §4-search, §1-posts-search)': {
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
        await user.click(screen.getByRole('button', { name: 'Where' }));
        await user.type(screen.getByRole('textbox', { name: 'Place' }), 'cebu');
        await user.click(screen.getByRole('button', { name: 'Price' }));
        await user.type(screen.getByRole('textbox', { name: 'Price from' }), '₱100');
        await user.type(screen.getByRole('textbox', { name: 'Price up to' }), '1,500');
        await user.click(screen.getByRole('button', { name: 'When' }));
        fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2030-05-10' } });
        await waitForElementToBeRemoved(screen.queryByRole('link', { name: /Coffee in Mak/ }));
      },
      shows: [['link', /Reef dive/], 'You have seen all plans.'],
    },
    'a chip says what plans are filtered by, and clears it': {
      path: `/explore?show=plans&place=cebu&max=${encodeURIComponent('₱500')}`,
      replies: [
        reply(plans.search, samplePage([samplePlan({ title: 'Reef dive' })]), {
          query: { place: 'cebu', maxPrice: 500 },
        }),
        reply(plans.search, samplePage([samplePlan({ title: 'Cheap coffee' })]), {
          query: { maxPrice: 500 },
        }),
      ],
      steps: async (user) => {
        await screen.findByRole('button', { name: 'Where: cebu' });
        await user.click(screen.getByRole('button', { name: 'Clear where' }));
      },
      shows: [
        ['link', /Cheap coffee/],
        ['button', 'Price: Up to ₱500'],
        ['button', 'Where'],
      ],
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
