import { Link } from '@tanstack/react-router';
import { type Review, reviews } from '@tara/contract/plans/reviews';
import { clsx } from 'clsx';
import { MessageCircle } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { useLike } from '../../lib/likes.ts';
import { LikeButton } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { reviewCache } from './review-cache.ts';

/** Like control and number of comments, for cards and for the review's own page. */
export function ReviewActions({ review, className }: { review: Review; className?: string }) {
  const { id, liked, totalLikes, totalComments } = review;
  const press = useLike({
    record: review,
    cache: reviewCache,
    send: (name, totalLikes) => call(reviews[name], { body: { reviewId: id, totalLikes } }),
  });
  return (
    <div className={clsx('flex items-center gap-1', className)}>
      <LikeButton liked={liked} totalLikes={totalLikes} onPress={press} />
      <Link
        to="/review-details/$id"
        params={{ id }}
        hash="comments"
        aria-label={`${totalComments} ${totalComments === 1 ? 'comment' : 'comments'}`}
        className="figures flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 font-semibold text-ink-soft transition-colors hover:bg-sunken hover:text-ink"
      >
        <Icon of={MessageCircle} size={22} />
        {totalComments}
      </Link>
    </div>
  );
}
