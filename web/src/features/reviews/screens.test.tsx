import { interactions } from '@tara/contract/interactions';
import { captionLength } from '@tara/contract/limits';
import { reviews } from '@tara/contract/reviews';
import { screen } from '@testing-library/react';
import { longText, sampleRequest, sampleReview, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const review = { params: { id: 'review' } };
const request = { params: { id: 'request' } };
const completed = sampleRequest({
  paid: true,
  accepted: true,
  userSetDone: true,
  adminSetDone: true,
  completed: true,
});

describeScreen('/_main/review-details/$id', {
  rows: '§2-review-details',
  path: '/review-details/review',
  replies: [reply(reviews.get, sampleReview(), review)],
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
    ],
  },
  empty: {
    replies: [refusal(reviews.get, 'review_not_found', review)],
    shows: ['There is no such review.'],
  },
  longTexts: {
    replies: [reply(reviews.get, sampleReview({ caption: longText, location: longText }), review)],
    shows: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'without photo and place': {
      replies: [reply(reviews.get, sampleReview({ picture: null, location: '' }), review)],
      shows: ['A day to remember'],
      hides: ['Mactan', ['button', 'Sea, open full screen']],
    },
  },
});

describeScreen('/_main/write-a-review/$id', {
  rows: '§2-write-a-review',
  path: '/write-a-review/request',
  viewer: sampleSession('Ben'),
  replies: [reply(interactions.interaction, completed, request)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Write a review'],
      'Coffee in Makati',
      ['textbox', 'Caption'],
      ['button', 'Publish review'],
    ],
  },
  empty: {
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Publish review' })),
    shows: ['Please write a few words.'],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Caption' }));
      await user.paste('x'.repeat(captionLength + 1));
      await user.click(screen.getByRole('button', { name: 'Publish review' }));
    },
    shows: [`Must be at most ${captionLength} characters.`],
  },
  forbidden: {
    viewer: sampleSession('Ana'),
    shows: ['Only the client writes the review.', ['link', 'Go to Plan Manager']],
    hides: [['button', 'Publish review']],
  },
  more: {
    'not confirmed yet': {
      replies: [reply(interactions.interaction, sampleRequest({ paid: true, accepted: true }), request)],
      shows: ['Receipt is not confirm yet by admin', 'come back again later.'],
      hides: [['button', 'Publish review']],
    },
    'a review that cannot be stored (§8-review-failed)': {
      replies: [refusal(reviews.create, 'general_unknown')],
      steps: async (user) => {
        await user.type(await screen.findByRole('textbox', { name: 'Caption' }), 'Good');
        await user.click(screen.getByRole('button', { name: 'Publish review' }));
      },
      shows: ['please try again later'],
    },
    'already written': {
      replies: [
        reply(interactions.interaction, { ...completed, reviewSubmitted: true, reviewId: 'review' }, request),
      ],
      shows: [['link', 'View review']],
      hides: [['button', 'Publish review']],
    },
    'no such request (§8-review-failed)': {
      replies: [refusal(interactions.interaction, 'interaction_not_found', request)],
      shows: ['please try again', 'You have no such request. Your history shows the plans you can review.'],
    },
  },
});
