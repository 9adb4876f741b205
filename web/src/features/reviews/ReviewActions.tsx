import { Link } from '@tanstack/react-router';
import type { Review } from '@tara/contract/plans/reviews';
import { clsx } from 'clsx';
import { MessageCircle } from 'lucide-react';
import { LikeButton } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toggleReviewLike } from './review-cache.ts';

/** Like control and number of comments, for cards and for the review's own page. */
export function ReviewActions({ review, className }: { review: Review; className?: string }) {
  const { id, liked, totalLikes, totalComments } = review;
  return (
    <div className={clsx('flex items-center gap-1', className)}>
      <LikeButton liked={liked} totalLikes={totalLikes} onPress={() => toggleReviewLike(review)} />
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
