import { Link } from '@tanstack/react-router';
import { type Review, reviews } from '@tara/contract/reviews';
import { MessageCircle } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { useLike } from '../../lib/record-cache.ts';
import { cx } from '../../ui/cx.ts';
import { LikeButton } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { changeReview, reviewLikeKey } from './review-cache.ts';

/** Like control and number of comments, for cards and for the review's own page. */
export function ReviewActions({ review, className }: { review: Review; className?: string }) {
  const { id, liked, totalLikes, totalComments } = review;
  const press = useLike({
    mutationKey: reviewLikeKey(id),
    current: review,
    send: (wanted) =>
      call(wanted.liked ? reviews.like : reviews.unlike, {
        body: { reviewId: id, totalLikes: wanted.totalLikes },
      }),
    show: (likes) => changeReview(id, likes),
  });
  return (
    <div className={cx('flex items-center gap-1', className)}>
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
