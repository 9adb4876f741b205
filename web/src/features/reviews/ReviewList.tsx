import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { empty } from '@tara/contract/notices';
import { channel } from '@tara/contract/realtime';
import { type Review, reviews } from '@tara/contract/reviews';
import { Star } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { VerifiedMark } from '../../ui/Badge.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Avatar, Picture } from '../../ui/Picture.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import { receiveReview } from './review-cache.ts';

export const reviewPages = (ownerId: string) => pagesOf(reviews.byOwner, { params: { id: ownerId } });

/** The reviews of one member, newest first, as an endless list. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const { items, more } = useLoadedPages(reviewPages(ownerId));
  useRealtime([channel.collection('reviews')], receiveReview);
  if (items.length === 0) {
    return (
      <EmptyState
        icon={Star}
        title={empty.reviews}
        text="After a plan took place, the client can write about it; it appears here."
      />
    );
  }
  return (
    <InfiniteList {...more}>
      <ul className="mx-auto flex w-full max-w-feed flex-col gap-4">
        {items.map((review) => (
          <li key={review.id}>
            <ReviewCard review={review} />
          </li>
        ))}
      </ul>
    </InfiniteList>
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
            <Avatar name={creator.name} src={urlAtWidth(creator.picture.imageUrl, 96)} size="sm" />
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
            <Picture
              width={picture.width}
              height={picture.height}
              widths={picture.widths}
              alt={picture.alt || `Photo by ${creator.name}`}
              source={(pixels) => urlAtWidth(picture.imageUrl, pixels)}
              thumbhash={picture.thumbhash}
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
