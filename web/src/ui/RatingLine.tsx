import { Fragment } from 'react';

/** Of a person or a plan; stars from 0 to 10, null without reviews. */
interface Rating {
  stars: number | null;
  totalReviews: number;
  totalMeetings: number;
}

const counted = (count: number, noun: string) =>
  // The first use of Intl takes a tenth of a second of a phone's first screen.
  `${count < 1000 ? count : count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** '4.5 ★ · 12 reviews · 7 meetings'; 'new' for whoever has neither. */
export function RatingLine({ rating, className }: { rating: Rating; className?: string }) {
  const { stars, totalReviews, totalMeetings } = rating;
  const mean = stars === null ? null : (stars / 2).toFixed(1);
  const counts = [
    ...(totalReviews > 0 ? [counted(totalReviews, 'review')] : []),
    ...(totalMeetings > 0 ? [counted(totalMeetings, 'meeting')] : []),
  ];
  if (counts.length === 0) return <span className={className}>new</span>;
  return (
    <span className={className}>
      {mean !== null && (
        <>
          <span className="figures font-semibold whitespace-nowrap text-ink">
            {mean}
            <span aria-hidden="true" className="text-mango-ink">
              {' '}
              ★
            </span>
            <span className="sr-only"> of 5 stars</span>
          </span>
          {' · '}
        </>
      )}
      {counts.map((count, index) => (
        <Fragment key={count}>
          {index > 0 && ' · '}
          <span className="whitespace-nowrap">{count}</span>
        </Fragment>
      ))}
    </span>
  );
}
