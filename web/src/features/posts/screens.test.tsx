import { posts } from '@tara/contract/posts';
import { longText, samplePerson, samplePost } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const own = samplePost({ creator: samplePerson('Ana'), creatorId: 'Ana', caption: 'A morning in Moalboal' });
const one = { params: { id: 'p1' } };

describeScreen('/_main/post/$id', {
  path: '/post/p1',
  replies: [reply(posts.get, samplePost({ caption: 'A morning in Moalboal', tags: ['sea'] }), one)],
  loading: 'Loading the post',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Post by Ana'],
      'A morning in Moalboal',
      '#sea',
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
