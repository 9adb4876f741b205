import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type Review, reviews } from '@tara/contract/reviews';
import { Star } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { truncate } from '../../ui/truncate.ts';

export const reviewPages = (ownerId: string) => pagesOf(reviews.byOwner, { params: { id: ownerId } });

/** The reviews of one member, newest first, as an endless list. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const { items, more } = useLoadedPages(reviewPages(ownerId));
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

/** One review in a list, which links to its page. */
function ReviewCard({ review }: { review: Review }) {
  const { id, picture, stars, caption, planTitle, creator, createdAt } = review;
  return (
    <Link to="/review-details/$id" params={{ id }} className="block rounded-card">
      <Card as="article" interactive className="flex gap-4">
        {picture && (
          <div className="w-24 shrink-0">
            <Picture
              width={picture.width}
              height={picture.height}
              widths={picture.widths}
              alt={picture.alt || `Photo by ${creator.name}`}
              source={(pixels) => urlAtWidth(picture.imageUrl, pixels)}
              thumbhash={picture.thumbhash}
              sizes="96px"
              ratio="1 / 1"
              className="rounded-control"
            />
          </div>
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <Stars value={stars} figure />
          <p className="wrap-anywhere whitespace-pre-line">{truncate(caption, displayLength.comment)}</p>
          <p className="truncate text-sm text-ink-soft">
            {planTitle} · {creator.name} · <TimeLabel iso={createdAt} />
          </p>
        </div>
      </Card>
    </Link>
  );
}
