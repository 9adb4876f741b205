import { interactions } from '@tara/contract/interactions/interactions';
import { captionLength, tagsLength } from '@tara/contract/limits';
import { reviews } from '@tara/contract/plans/reviews';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { sampleCan, samplePage, sampleRequest, sampleReview, sampleSession } from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';

const review = { params: { id: 'review' } };
const request = { params: { id: 'request' } };
const completed = sampleRequest({
  paid: true,
  accepted: true,
  userSetDone: true,
  adminSetDone: true,
  completed: true,
  can: sampleCan('review'),
});

const cannot = (review: string) => ({ ...completed, can: { ...sampleCan(), review } });

const recently = () => new Date(Date.now() - 3_600_000).toISOString();

describeScreen('/_main/write-a-review/$id', {
  path: '/write-a-review/request',
  viewer: sampleSession('Ben'),
  replies: [reply(interactions.interaction, completed, request)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Write a review'],
      'Coffee in Makati',
      ['textbox', 'Your review'],
      ['radio', '10'],
      'Add photos',
      ['textbox', 'Location (optional)'],
      ['textbox', 'Tags (optional)'],
      ['button', 'Publish review'],
    ],
  },
  empty: {
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Publish review' })),
    shows: ['Please write a few words.'],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Your review' }));
      await user.paste('x'.repeat(captionLength + 1));
      await user.click(screen.getByRole('button', { name: 'Publish review' }));
    },
    shows: [`Must be at most ${captionLength} characters.`],
  },
  forbidden: {
    viewer: sampleSession('Ana'),
    replies: [reply(interactions.interaction, cannot('Only the client writes the review.'), request)],
    shows: ['Only the client writes the review.', ['link', 'Go to your history']],
    hides: [['button', 'Publish review']],
  },
  more: {
    'a review of the interaction of the address (§2-write-a-review)': {
      shows: [['heading', 'Write a review'], 'Coffee in Makati', ['textbox', 'Your review']],
    },
    'ten stars are chosen at first (§3-review-stars)': {
      steps: async () => {
        const stars = await screen.findAllByRole<HTMLInputElement>('radio', { name: /^\d+$/ });
        expect(stars.map(({ checked }, number) => [number, checked])).toEqual(
          stars.map((_star, number) => [number, number === 10]),
        );
        expect(stars).toHaveLength(11);
      },
      shows: [['radio', '10']],
    },
    'before the admin’s approval it says ‘Receipt is not confirm yet by admin’ / ‘come back again later.’ (§4-review-not-confirmed)':
      {
        replies: [reply(interactions.interaction, cannot('Receipt is not confirm yet by admin'), request)],
        shows: ['Receipt is not confirm yet by admin', 'come back again later.'],
        hides: [['button', 'Publish review']],
      },
    'a review that cannot be stored (§8-review-failed)': {
      replies: [refusal(reviews.create, 'general_unknown')],
      steps: async (user) => {
        await user.type(await screen.findByRole('textbox', { name: 'Your review' }), 'Good');
        await user.click(screen.getByRole('button', { name: 'Publish review' }));
      },
      shows: ['please try again later'],
    },
    'a review with a photo that is gone': {
      replies: [refusal(reviews.create, 'storage_file_not_found')],
      steps: async (user) => {
        await user.type(await screen.findByRole('textbox', { name: 'Your review' }), 'Good');
        await user.click(screen.getByRole('button', { name: 'Publish review' }));
      },
      shows: ['There is no such file.', 'please try again later'],
    },
    'a review that was submitted can be viewed (§4-review-view)': {
      replies: [
        reply(
          interactions.interaction,
          { ...cannot('You already wrote a review.'), reviewSubmitted: true, reviewId: 'review' },
          request,
        ),
      ],
      shows: [['link', 'View review', '/review-details/review']],
      hides: [['button', 'Publish review']],
    },
    'a review of a request that does not exist reads ‘please try again’ (§8-review-failed)': {
      replies: [refusal(interactions.interaction, 'interaction_not_found', request)],
      shows: ['please try again', 'You have no such request. Your history shows the plans you can review.'],
    },
  },
});

describeScreen('/_main/update-review/$id', {
  path: '/update-review/review',
  viewer: sampleSession('Ben'),
  replies: [reply(reviews.get, sampleReview({ createdAt: recently(), tags: ['sea', 'sun'] }), review)],
  loading: 'Loading the review',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Edit review'],
      'Coffee in Makati',
      ['radio', '9'],
      ['button', 'Remove photo 1'],
      ['button', 'Save changes'],
    ],
    steps: async () => {
      for (const [name, value] of [
        ['Your review', 'A day to remember'],
        ['Location (optional)', 'Mactan'],
        ['Tags (optional)', 'sea, sun'],
      ])
        expect((await screen.findByRole<HTMLInputElement>('textbox', { name })).value).toBe(value);
    },
  },
  empty: {
    steps: async (user) => {
      await user.clear(await screen.findByRole('textbox', { name: 'Your review' }));
      await user.click(screen.getByRole('button', { name: 'Save changes' }));
    },
    shows: ['Please write a few words.'],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Tags (optional)' }));
      await user.paste('x'.repeat(tagsLength + 1));
      await user.click(screen.getByRole('button', { name: 'Save changes' }));
    },
    shows: [`Must be at most ${tagsLength} characters.`],
  },
  forbidden: {
    viewer: sampleSession('Ana'),
    shows: ['You are not allowed to do this.', ['link', 'View review']],
    hides: [['button', 'Save changes']],
  },
  more: {
    'later than 24 hours': {
      replies: [reply(reviews.get, sampleReview(), review)],
      shows: ['This review can no longer be changed', 'reviews can be edited for 24 hours'],
      hides: [['button', 'Save changes']],
    },
    'a photo is removed and the review saved': {
      replies: [
        reply(reviews.update, sampleReview({ photos: [], editedAt: recently() })),
        reply(reviews.comments, samplePage([]), review),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Remove photo 1' }));
        await user.click(screen.getByRole('button', { name: 'Save changes' }));
      },
      shows: ['Your review is updated', ['heading', 'Review'], '· edited'],
      endsAt: '/review-details/review',
    },
  },
});
