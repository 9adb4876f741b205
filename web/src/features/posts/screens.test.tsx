import { files } from '@tara/contract/files';
import { captionLength } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts';
import { problemMessage } from '@tara/contract/problems';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  longText,
  longWord,
  samplePage,
  samplePerson,
  samplePost,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';
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
    'one’s own post': {
      replies: [reply(posts.feed, samplePage([own]))],
      shows: [['link', 'Edit post']],
    },
    'a member without a name yet': {
      viewer: sampleSession('Ana', { profile: { name: '' } }),
      steps: async () => {
        const textbox = await screen.findByRole('textbox', { name: 'Quick post' });
        expect(textbox.getAttribute('placeholder')).toBe('What’s on your mind?');
      },
      shows: [caption],
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
    rows: '§2-post',
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
    'one’s own': {
      replies: [reply(posts.get, own, one)],
      shows: [
        ['link', 'Edit post'],
        ['button', 'Delete post'],
      ],
    },
  },
});

describeScreen('/_main/create-post', {
  path: '/create-post',
  loading: { none: 'It reads nothing.' },
  error: { none: 'It reads nothing.' },
  full: {
    rows: '§2-create-post',
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
    'a quick post that got a photo': {
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
    rows: '§2-update-post',
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
});

describeScreen('/_main/saved', {
  path: '/saved',
  replies: [reply(posts.saved, samplePage([samplePost({ caption, saved: true })]))],
  loading: 'Loading posts',
  error: 'retry',
  full: {
    rows: '§2-saved',
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
