import { Link } from '@tanstack/react-router';
import { profiles } from '@tara/contract/members/profiles';
import { empty } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans/plans';
import { Review, type ReviewComment, reviews } from '@tara/contract/plans/reviews';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import { MessageCircle } from 'lucide-react';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { useLike } from '../../lib/likes.ts';
import { invalidate, pagesOf, queryClient, setQueryData, useLoadedPages } from '../../lib/queries.ts';
import { type RealtimeEvent, useRealtime } from '../../lib/realtime.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { LikeButton } from '../../ui/facts.tsx';
import { announce } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Stars, VerifiedMark } from '../../ui/marks.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';

const reviewCache = recordCache<Review>(reviews.get, reviews.byOwner);
const commentCache = recordCache<ReviewComment>(reviews.comments);

export const commentPages = (reviewId: string) => pagesOf(reviews.comments, { params: { id: reviewId } });

/** Changes fields of a review in all lists and on its own page. */
export const changeReview = reviewCache.change;

/** Shows a review that was written or changed, and refetches where its stars count. */
export function storeReview(review: Review): void {
  setQueryData(reviews.get, { params: { id: review.id } }, review);
  void invalidate(reviews.byOwner, profiles.get, plans.get, plans.byCreator);
}

/** Puts a new comment first in the list of its review. */
export function addComment(comment: ReviewComment): void {
  queryClient.setQueryData(commentPages(comment.reviewId).queryKey, prepended(comment));
}

/** Removes a deleted comment. */
export const removeComment = commentCache.remove;

/** The fields of a review that are the same for all viewers, which an event may change. */
const SharedFields = z.partial(z.omit(Review, { id: true, liked: true, createdAt: true }));

/** Shows what an event of the collection 'reviews' changed. */
export const receiveReview = (event: RealtimeEvent) => reviewCache.receive(event, SharedFields);

/** Shows and announces a comment of somebody else. */
export function receiveComment(comment: ReviewComment, ownId: string): void {
  addComment(comment);
  if (comment.creatorId !== ownId) announce(`${comment.creator.name}: ${comment.body}`);
}

export const reviewPages = (ownerId: string) => pagesOf(reviews.byOwner, { params: { id: ownerId } });

/** The reviews of one member, newest first, as an endless list. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const list = useLoadedPages(reviewPages(ownerId));
  useRealtime([channel.collection('reviews')], receiveReview);
  return (
    <PagedList
      list={list}
      empty={{
        scene: 'table',
        title: empty.reviews,
        text: 'After a plan took place, the client can write about it; it appears here.',
      }}
    >
      {(items) => (
        <ul className="mx-auto flex w-full max-w-feed flex-col gap-8">
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

/** One review in a list; the whole card leads to its page. */
function ReviewCard({ review }: { review: Review }) {
  const { id, photos, stars, caption, planTitle, creator, createdAt, editedAt } = review;
  const [picture] = photos;
  return (
    <article className="relative">
      <div className="flex gap-4">
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
                  className="truncate after:absolute after:-inset-2 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lagoon"
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
      <ReviewActions review={review} className="relative z-10 -ml-3 mt-1 w-fit" />
    </article>
  );
}

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
