import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RatingLine } from './RatingLine.tsx';

test.for([
  [{ stars: 9, totalReviews: 12, totalMeetings: 7 }, '4.5 ★ of 5 stars · 12 reviews · 7 meetings'],
  [{ stars: 20 / 3, totalReviews: 1, totalMeetings: 1 }, '3.3 ★ of 5 stars · 1 review · 1 meeting'],
  [{ stars: 0, totalReviews: 1, totalMeetings: 0 }, '0.0 ★ of 5 stars · 1 review'],
  [{ stars: null, totalReviews: 0, totalMeetings: 1200 }, '1,200 meetings'],
  [{ stars: null, totalReviews: 0, totalMeetings: 0 }, 'new'],
] as const)('the rating %o reads %s', ([rating, text]) => {
  expect(render(<RatingLine rating={rating} />).container.textContent).toBe(text);
});
