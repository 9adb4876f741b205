import { files } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts/posts';
import { problemMessage } from '@tara/contract/problems';
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  longText,
  longWord,
  samplePage,
  samplePerson,
  samplePicture,
  samplePost,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply, scrollToEnd } from '../../testing/screen.tsx';
import { altOf } from './PostCard.tsx';

const photo = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], 'sea.jpg', { type: 'image/jpeg' });
const caption = 'A morning in Moalboal';
const own = samplePost({ creator: samplePerson('Ana'), creatorId: 'Ana', caption });
const one = { params: { id: 'p1' } };

it('a picture without a description is described by its caption, cut after 100 characters', () => {
  const alt = (caption: string) => altOf(samplePost({ caption, picture: { ...own.picture, alt: '' } }));
  expect(alt('x'.repeat(100))).toBe('x'.repeat(100));
  expect(alt('x'.repeat(101))).toBe(`${'x'.repeat(100)}..`);
});

describeScreen('/_main/', {
  path: '/',
  replies: [
    reply(posts.feed, samplePage([samplePost({ caption }), samplePost({ id: 'p2', caption: 'Second' })])),
  ],
  loading: 'Loading posts',
  error: 'retry',
  full: {
    shows: [['heading', 'Home'], caption, 'Second', ['textbox', 'Quick post'], 'You have seen all posts.'],
    hides: ['No current post', ['link', 'Edit post']],
  },
  empty: {
    replies: [reply(posts.feed, samplePage([]))],
    // The navigation has such a link, too.
    steps: async () => {
      await within(await screen.findByRole('main')).findByRole('link', { name: 'Create Post' });
    },
    shows: ['No current post', ['link', 'Create Post']],
    hides: ['You have seen all posts.'],
  },
  longTexts: {
    replies: [reply(posts.feed, samplePage([samplePost({ caption: longText })]))],
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Show more' })),
    shows: [longText],
    hides: [['button', 'Show more']],
  },
  forbidden: guestsSignIn,
  more: {
    'a guest is sent from / to /sign-in': guestsSignIn,
    'the home feed has a quick-post box (§2-home-quick-post)': { shows: [['textbox', 'Quick post']] },
    'a card for each post, by its creator (§2-home-post-cards)': {
      steps: async () =>
        expect(await screen.findAllByRole('article', { name: 'Post by Ana' })).toHaveLength(2),
      shows: [caption, 'Second'],
    },
    'the feed goes on at its end (§2-home-infinite-scroll)': {
      replies: [
        reply(posts.feed, samplePage([samplePost({ caption })], 'next')),
        reply(posts.feed, samplePage([samplePost({ id: 'p9', caption: 'Older' })]), {
          query: { cursor: 'next' },
        }),
      ],
      steps: async () => {
        await screen.findByText(caption);
        expect(screen.queryByText('Older')).toBeNull();
        await scrollToEnd();
      },
      shows: [caption, 'Older'],
    },
    'the card of one’s own post has the edit icon (§6-post-edit-icon)': {
      replies: [reply(posts.feed, samplePage([own]))],
      shows: [['link', 'Edit post', '/update-post/p1']],
    },
    'the card of another’s post has no edit icon (§6-post-edit-icon)': {
      shows: [caption],
      hides: [['link', 'Edit post']],
    },
    'the first steps of a new member': {
      viewer: sampleSession('Ana', {
        profile: { verified: null, city: 'Cebu', hobby: 'diving' },
      }),
      shows: [
        ['heading', 'Your first steps 1 of 3 done'],
        ['link', /^Add your photo/, '/update-profile'],
        ['link', /^Name your city and hobbies ?, done/, '/update-profile?tab=info'],
        ['link', /^Get verified ?Only verified members/, '/verifying-identity'],
      ],
    },
    'the first steps of a member whose request to be verified was declined': {
      viewer: sampleSession('Ana', {
        profile: { verified: null, verificationDecline: { reason: 'face', note: '' } },
      }),
      shows: [['link', /^Get verified ?Your last request was declined: see why/, '/verifying-identity']],
    },
    'the first steps, hidden': {
      viewer: sampleSession('Ana', { profile: { verified: null } }),
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Hide' }));
        expect(localStorage.getItem('tara-first-steps-Ana')).toBe('hidden');
        localStorage.clear();
      },
      shows: [caption],
      hides: [['heading', /^Your first steps/]],
    },
    'without first steps, where all are done': {
      viewer: sampleSession('Ana', { profile: { city: 'Cebu', hobby: 'diving', picture: samplePicture } }),
      shows: [caption],
      hides: [['heading', /^Your first steps/]],
    },
    'an empty quick post is ignored (§5-quick-post)': {
      steps: async (user) => {
        const textbox = await screen.findByRole('textbox', { name: 'Quick post' });
        act(() => textbox.focus());
        await user.click(await screen.findByRole('button', { name: 'Post' }));
        expect(screen.getByRole('textbox', { name: 'Quick post' }).getAttribute('aria-invalid')).toBeNull();
      },
      shows: [caption],
      hides: ['Please write something.'],
    },
    'a quick post that is written before its form is loaded': {
      replies: [reply(posts.quick, samplePost({ id: 'p3', caption: 'Good morning' }))],
      steps: async (user) => {
        const before = await screen.findByRole('textbox', { name: 'Quick post' });
        act(() => before.focus());
        await user.keyboard('Good morning');
        const post = await screen.findByRole('button', { name: 'Post' });
        const textbox = screen.getByRole('textbox', { name: 'Quick post' });
        expect(textbox).toHaveProperty('value', 'Good morning');
        expect(document.activeElement).toBe(textbox);
        await user.click(post);
      },
      shows: ['Good morning'],
    },
  },
});

describeScreen('/_main/post/$id', {
  path: '/post/p1',
  replies: [reply(posts.get, samplePost({ caption, tags: ['sea'], location: 'Moalboal' }), one)],
  loading: 'Loading the post',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Post by Ana'],
      caption,
      '#sea',
      /Moalboal/,
      ['link', /Ana/],
      ['button', 'Like, 0 likes'],
      ['button', 'Open the picture full screen'],
    ],
    hides: [
      ['link', 'Edit post'],
      ['button', 'Delete post'],
    ],
  },
  empty: {
    replies: [refusal(posts.get, 'post_not_found', one)],
    shows: ['There is no such post.', ['link', 'Home']],
    hides: [['button', 'Try again']],
  },
  longTexts: { replies: [reply(posts.get, samplePost({ caption: longText }), one)], shows: [longText] },
  forbidden: guestsSignIn,
  more: {
    'the image of the post (§2-post-image)': { shows: [['img', 'Sea']] },
    'the creator of the post, a link to /profile/{creatorId} (§2-post-creator)': {
      shows: [['link', 'Ana', '/profile/u1']],
    },
    'the date when the post was created (§2-post-created)': {
      replies: [reply(posts.get, samplePost({ updatedAt: '2026-02-03T04:05:06.000+00:00' }), one)],
      steps: async () => expect((await screen.findByRole('time')).getAttribute('datetime')).toBe(sampleTime),
      shows: [['time']],
    },
    'the location of the post (§2-post-location)': { shows: ['Moalboal'] },
    'the caption of the post (§2-post-caption)': { shows: [caption] },
    'the tags of the post as #tag (§2-post-tags)': { shows: ['#sea'], hides: ['sea'] },
    'the like control of the post (§2-post-like)': { shows: [['button', 'Like, 0 likes']] },
    'the owner of a post sees an edit link (§2-post-edit)': {
      replies: [reply(posts.get, own, one)],
      shows: [['link', 'Edit post', '/update-post/p1']],
    },
    'the owner of a post sees a delete control (§2-post-delete)': {
      replies: [reply(posts.get, own, one)],
      shows: [['button', 'Delete post']],
    },
    'others see neither an edit link nor a delete control (§2-post-edit, §2-post-delete)': {
      shows: [caption],
      hides: [
        ['link', 'Edit post'],
        ['button', 'Delete post'],
      ],
    },
    'a press on its image opens the full-screen viewer (§2-viewer)': {
      steps: (user) => press(user, 'Open the picture full screen'),
      shows: [
        ['dialog', 'Sea'],
        ['button', 'Close'],
      ],
    },
    'the viewer is closed by its Close button (§2-viewer-close)': {
      steps: async (user) => {
        await press(user, 'Open the picture full screen');
        await press(user, 'Close');
      },
      shows: [caption],
      hides: [['dialog']],
    },
  },
});

describeScreen('/_main/create-post', {
  path: '/create-post',
  loading: { none: 'It reads nothing.' },
  error: { none: 'It reads nothing.' },
  full: {
    path: '/create-post?textInputed=Tara',
    shows: [
      ['heading', 'Create Post'],
      ['button', 'Create Post'],
    ],
    steps: async () => void (await screen.findByDisplayValue('Tara')),
  },
  empty: {
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Create Post' })),
    shows: [problemMessage('storage_file_empty')],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Caption' }));
      await user.paste('x'.repeat(captionLength + 1));
      await user.click(screen.getByRole('button', { name: 'Create Post' }));
    },
    shows: [`Must be at most ${captionLength} characters.`],
  },
  forbidden: guestsSignIn,
  more: {
    '/create-post is the post form (§2-create-post)': {
      shows: [
        ['heading', 'Create Post'],
        ['textbox', 'Caption'],
        ['button', 'Create Post'],
      ],
    },
    'the query textInputed prefills the caption (§2-create-post-prefilled)': {
      path: '/create-post?textInputed=Tara',
      steps: async () =>
        expect(await screen.findByRole('textbox', { name: 'Caption' })).toHaveProperty('value', 'Tara'),
      shows: [['textbox', 'Caption']],
    },
    'the submit label of a new post is ‘Create Post’ (§2-post-form-create-label)': {
      shows: [['button', 'Create Post']],
    },
    'a post that is created leads home (§2-post-form-created)': {
      path: '/create-post?textInputed=Tara',
      replies: [
        reply(files.create, { $id: 'i1' } as never, { params: { bucketId: 'images' } }),
        reply(posts.create, samplePost({ caption: 'Tara' })),
        reply(posts.feed, samplePage([])),
      ],
      steps: async (user) => {
        Object.defineProperty(HTMLImageElement.prototype, 'decode', {
          configurable: true,
          value: async () => {},
        });
        await user.upload(await screen.findByLabelText('Add Profile Picture'), photo);
        await screen.findByRole('button', { name: 'Remove photo' });
        sessionStorage.setItem('draft:quick-post', JSON.stringify({ caption: 'Tara' }));
        await user.click(screen.getByRole('button', { name: 'Create Post' }));
        expect(await screen.findByRole('textbox', { name: 'Quick post' })).toHaveProperty('value', '');
      },
      endsAt: '/',
      shows: [['textbox', 'Quick post']],
    },
  },
});

describeScreen('/_main/update-post/$id', {
  path: '/update-post/p1',
  replies: [reply(posts.get, own, one)],
  loading: 'Loading the post',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Update Post'],
      ['textbox', 'Caption'],
      ['button', 'Update Post'],
    ],
    steps: async () => void (await screen.findByDisplayValue(caption)),
  },
  empty: {
    replies: [refusal(posts.get, 'post_not_found', one)],
    shows: ['There is no such post.'],
    hides: [['button', 'Update Post']],
  },
  longTexts: {
    replies: [reply(posts.get, { ...own, caption: longText }, one)],
    steps: async () => void (await screen.findByDisplayValue(longText)),
    shows: [['textbox', 'Caption']],
  },
  forbidden: {
    replies: [reply(posts.get, samplePost(), one)],
    shows: ['You are not allowed to do this.', 'Only its creator can change a post.'],
    hides: [['button', 'Update Post']],
  },
  more: {
    '/update-post/{id} loads the post, then shows the same form (§2-update-post)': {
      steps: async () => {
        expect(await screen.findByRole('textbox', { name: 'Caption' })).toHaveProperty('value', caption);
      },
      shows: ['Add Profile Picture', /^Add Location/, /^Add Tags/],
    },
    'the photo field is hidden when the post used a profile picture (§2-update-post-photo)': {
      replies: [reply(posts.get, { ...own, usedDp: true }, one)],
      shows: [['textbox', 'Caption']],
      hides: ['Add Profile Picture'],
    },
    'the submit label of a post that exists is ‘Update Post’ (§2-post-form-update-label)': {
      shows: [['button', 'Update Post']],
    },
  },
});

describeScreen('/_main/saved', {
  path: '/saved',
  replies: [reply(posts.saved, samplePage([samplePost({ caption, saved: true })]))],
  loading: 'Loading posts',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'SAVED'],
      ['link', /Sea/],
    ],
    hides: ['Nothing is saved yet'],
  },
  empty: {
    replies: [reply(posts.saved, samplePage([]))],
    shows: ['Nothing is saved yet', ['link', 'Explore posts']],
  },
  longTexts: {
    replies: [reply(posts.saved, samplePage([samplePost({ caption: longText })]))],
    shows: [['link', /Salamatpo/]],
    hides: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'the heading of the saved posts is ‘SAVED’ (§2-saved)': { shows: [['heading', 'SAVED']] },
    'a grid of the saved posts (§2-saved-grid)': {
      steps: async () => {
        const tile = await screen.findByRole('link', { name: /Sea/ });
        expect(tile.closest('ul')?.className).toBe('wall');
      },
      shows: [['img', 'Sea']],
    },
    'the list of saved posts goes on at its end (§2-saved-infinite-scroll)': {
      replies: [
        reply(posts.saved, samplePage([samplePost({ caption, saved: true })], 'next')),
        reply(posts.saved, samplePage([samplePost({ id: 'p9', saved: true })]), {
          query: { cursor: 'next' },
        }),
      ],
      steps: scrollToEnd,
      shows: [
        ['link', /Sea/, '/post/p1'],
        ['link', /Sea/, '/post/p9'],
      ],
    },
    'the saved posts have an empty state (§2-saved-empty)': {
      replies: [reply(posts.saved, samplePage([]))],
      shows: ['Nothing is saved yet'],
    },
    'a tile of the saved posts links to the post (§2-saved-tiles)': { shows: [['link', /Sea/, '/post/p1']] },
  },
});

describeScreen('/_main/post/$id_/likes', {
  path: '/post/p1/likes',
  replies: [reply(posts.likers, samplePage([samplePerson('Ben'), samplePerson('Lia')]), one)],
  loading: 'Loading people',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Liked by'],
      ['link', /Ben/],
      ['link', /Lia/],
      ['link', 'Back to the post'],
    ],
  },
  empty: {
    replies: [reply(posts.likers, samplePage([]), one)],
    shows: ['Nobody likes this post yet'],
  },
  longTexts: {
    replies: [reply(posts.likers, samplePage([samplePerson(longWord)]), one)],
    shows: [['link', new RegExp(longWord)]],
  },
  forbidden: {
    replies: [refusal(posts.likers, 'user_unauthorized', one)],
    shows: ['You are not allowed to view this'],
    hides: [['link', /Ben/]],
  },
  more: { 'a guest signs in': guestsSignIn },
});
