import { commentLength } from '@tara/contract/limits';
import { reports } from '@tara/contract/members/reports';
import { type ReviewComment, reviews } from '@tara/contract/plans/reviews';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { forgetOutboxes } from '../../lib/outbox-storage.ts';
import {
  longText,
  sampleComment,
  samplePage,
  samplePerson,
  samplePicture,
  sampleReview,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const review = { params: { id: 'review' } };
const comments = (...items: ReviewComment[]) => reply(reviews.comments, samplePage(items), review);
const longComment = 'Tara na! '.repeat(40).trim();
const photo = (alt: string) => ({ ...samplePicture, imageId: alt, imageUrl: `/${alt}`, alt });
const recently = () => new Date(Date.now() - 3_600_000).toISOString();

async function writeComment(user: UserEvent, text: string) {
  forgetOutboxes();
  await user.click(await screen.findByRole('textbox', { name: 'Comment' }));
  await user.paste(text);
  await user.click(await screen.findByRole('button', { name: 'Send' }));
}

describeScreen('/_main/review-details/$id', {
  path: '/review-details/review',
  replies: [
    reply(reviews.get, sampleReview({ totalLikes: 4, totalComments: 1 }), review),
    comments(sampleComment()),
  ],
  loading: 'Loading the review',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Review'],
      'A day to remember',
      'Mactan',
      ['link', 'Coffee in Makati'],
      ['link', 'Ben'],
      ['button', 'Sea, open full screen'],
      ['link', 'All reviews of Ana'],
      ['button', 'Like, 4 likes'],
      ['link', '1 comment'],
      'Thank you for coming.',
      ['button', 'Delete comment'],
    ],
  },
  empty: {
    replies: [comments()],
    shows: ['No comments yet', ['textbox', 'Comment']],
  },
  longTexts: {
    replies: [
      reply(reviews.get, sampleReview({ caption: longText, location: longText }), review),
      comments(sampleComment({ body: longText })),
    ],
    shows: [longText, ['button', /^Salamatpo.*\.\. Show more$/s]],
  },
  forbidden: guestsSignIn,
  more: {
    'the details of a review (§2-review-details)': {
      shows: [
        ['heading', 'Review'],
        'A day to remember',
        ['img', '4.5 of 5 stars'],
        ['img', 'Sea'],
        ['link', 'Coffee in Makati'],
        ['link', 'Ben'],
      ],
    },
    'without photo and place': {
      replies: [reply(reviews.get, sampleReview({ photos: [], location: '' }), review)],
      shows: ['A day to remember'],
      hides: ['Mactan', ['button', 'Sea, open full screen']],
    },
    'several photos, with the previous and the next in the viewer': {
      replies: [
        reply(reviews.get, sampleReview({ photos: [photo('Sea'), photo('Sand'), photo('Sun')] }), review),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Sand, open full screen' }));
        expect(await screen.findByText('2 of 3')).toBeTruthy();
        await user.click(screen.getByRole('button', { name: 'Next photo' }));
        expect(screen.queryByRole('button', { name: 'Next photo' })).toBeNull();
        await user.keyboard('{ArrowLeft}{ArrowLeft}');
      },
      shows: ['1 of 3', ['dialog', 'Sea'], ['button', 'Next photo'], ['button', 'Close']],
      hides: [['button', 'Previous photo']],
    },
    'one’s own review can be edited for 24 hours, and shows that it was': {
      viewer: sampleSession('Ben'),
      replies: [
        reply(
          reviews.get,
          sampleReview({ createdAt: recently(), editedAt: recently(), tags: ['sea'] }),
          review,
        ),
      ],
      shows: [['link', 'Edit review'], '· edited', ['link', '#sea']],
    },
    'one’s own review of two days ago cannot be edited': {
      viewer: sampleSession('Ben'),
      shows: ['A day to remember'],
      hides: [['link', 'Edit review'], '· edited'],
    },
    'no such review': {
      replies: [
        refusal(reviews.get, 'review_not_found', review),
        refusal(reviews.comments, 'review_not_found', review),
      ],
      shows: ['There is no such review.'],
    },
    'a like shows at once and is put back when it is refused (§4)': {
      replies: [refusal(reviews.like, 'review_not_found')],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Like, 4 likes' })),
      shows: ['There is no such review.', ['button', 'Like, 4 likes']],
    },
    'a like stays while the server is away': {
      replies: [refusal(reviews.like, 'general_unavailable')],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Like, 4 likes' })),
      shows: [['button', 'Like, 5 likes']],
      hides: ['Tara is busy'],
    },
    'a comment of 150 characters until it is tapped (§9-display-comment)': {
      replies: [comments(sampleComment({ body: longComment }))],
      steps: async (user) => {
        const comment = await screen.findByRole('button', { expanded: false, name: /Show more/ });
        expect(comment.textContent).toBe(`${longComment.slice(0, 150)}.. Show more`);
        await user.click(comment);
      },
      shows: [['button', `${longComment} Show less`]],
    },
    'somebody else’s comment cannot be deleted (§6)': {
      replies: [comments(sampleComment({ creator: samplePerson('Cy'), creatorId: 'Cy' }))],
      shows: ['Thank you for coming.', ['link', 'Cy'], ['button', 'More about Cy']],
      hides: [['button', 'Delete comment']],
    },
    'somebody else’s comment is reported': {
      replies: [
        comments(sampleComment({ id: 'c1', creator: samplePerson('Cy'), creatorId: 'Cy' })),
        reply(reports.create, { status: 'ok' }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'More about Cy' }));
        await user.click(await screen.findByRole('menuitem', { name: 'Report' }));
        await user.selectOptions(await screen.findByRole('combobox'), 'spam');
        await user.click(screen.getByRole('button', { name: /Send|Report/ }));
      },
      shows: ['Your report was sent.'],
    },
    'a comment is sent (§7-create-comment)': {
      replies: [
        reply(reviews.createComment, {
          comment: sampleComment({ id: 'new', body: 'How lovely', clientKey: 'new-key' }),
          totalComments: 2,
        }),
      ],
      steps: (user) => writeComment(user, 'How lovely'),
      shows: ['How lovely', ['link', '2 comments']],
      hides: ['Sending...'],
    },
    'a comment that fails stays, and can be sent again': {
      replies: [refusal(reviews.createComment, 'general_unavailable')],
      steps: (user) => writeComment(user, 'How lovely'),
      shows: [
        'How lovely',
        /^Not sent\. Tara is busy/,
        ['button', 'Try again'],
        ['button', 'Discard'],
        ['link', '1 comment'],
      ],
    },
    'a comment that is too long is not sent': {
      steps: (user) => writeComment(user, 'x'.repeat(commentLength + 1)),
      shows: [`Must be at most ${commentLength} characters.`],
    },
    'one’s own comment is deleted after a question': {
      replies: [reply(reviews.deleteComment, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Delete comment' }));
        await user.click(await screen.findByRole('button', { name: 'Delete' }));
      },
      shows: ['No comments yet', ['link', '0 comments']],
      hides: ['Thank you for coming.'],
    },
  },
});
