import { Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import { channel } from '@tara/contract/realtime';
import { type Review, reviews } from '@tara/contract/reviews';
import { MessageCircle, Star } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useLike } from '../../lib/record-cache.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { VerifiedMark } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { LikeButton } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Card, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { changeReview, receiveReview, reviewLikeKey } from './review-cache.ts';

export const reviewPages = (ownerId: string) => pagesOf(reviews.byOwner, { params: { id: ownerId } });

/** The reviews of one member, newest first, as an endless list. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const list = useLoadedPages(reviewPages(ownerId));
  useRealtime([channel.collection('reviews')], receiveReview);
  return (
    <PagedList
      list={list}
      empty={{
        icon: Star,
        title: empty.reviews,
        text: 'After a plan took place, the client can write about it; it appears here.',
      }}
    >
      {(items) => (
        <ul className="mx-auto flex w-full max-w-feed flex-col gap-4">
          {items.map((review) => (
            <li key={review.id}>
              <ReviewCard review={review} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

export function ReviewListSkeleton() {
  return (
    <Skeletons count={4} label="Loading reviews" className="mx-auto flex w-full max-w-feed flex-col gap-4">
      {() => (
        <Card className="flex gap-4">
          <Skeleton shape="box" width={96} height={96} />
          <div className="flex-1">
            <Skeleton width="50%" />
            <Skeleton width="30%" />
            <Skeleton width="90%" />
          </div>
        </Card>
      )}
    </Skeletons>
  );
}

/** One review in a list; the whole card leads to its page. */
function ReviewCard({ review }: { review: Review }) {
  const { id, photos, stars, caption, planTitle, creator, createdAt, editedAt } = review;
  const [picture] = photos;
  return (
    <Card as="article" padding="none" interactive className="relative overflow-hidden">
      <div className="flex gap-4 p-4 pb-2">
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex items-center gap-3">
            <PersonAvatar person={creator} size="sm" />
            <div className="min-w-0">
              <h3 className="flex items-center gap-1.5 font-semibold">
                <Link
                  to="/review-details/$id"
                  params={{ id }}
                  aria-label={`Review by ${creator.name}: ${planTitle}`}
                  // The link covers the card, to make it easy to press.
                  className="truncate after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lagoon"
                >
                  {creator.name}
                </Link>
                {creator.verified && <VerifiedMark size={16} />}
              </h3>
              <p className="flex min-w-0 gap-1.5 text-sm text-ink-soft">
                <span className="truncate">{planTitle}</span>
                <span aria-hidden="true">·</span>
                <span className="shrink-0">
                  <TimeLabel iso={createdAt} />
                  {editedAt !== null && ' · edited'}
                </span>
              </p>
            </div>
          </div>
          <Stars value={stars} figure />
          <p className="line-clamp-4 wrap-anywhere whitespace-pre-line">{caption}</p>
        </div>
        {picture && (
          <div className="relative w-24 shrink-0 self-start sm:w-28">
            <StoredPicture
              picture={picture}
              alt={picture.alt || `Photo by ${creator.name}`}
              sizes="112px"
              ratio="1 / 1"
              className="rounded-control"
            />
            {photos.length > 1 && (
              <span className="figures absolute right-1 bottom-1 rounded-full bg-black/70 px-2 py-0.5 text-xs font-semibold text-white">
                <span aria-hidden="true">+{photos.length - 1}</span>
                <span className="sr-only">{photos.length} photos</span>
              </span>
            )}
          </div>
        )}
      </div>
      {/* Above the link that covers the card. */}
      <ReviewActions review={review} className="relative z-10 w-fit px-1 pb-1" />
    </Card>
  );
}

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
