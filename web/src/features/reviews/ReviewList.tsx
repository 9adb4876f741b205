import { Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import type { Review } from '@tara/contract/plans/reviews';
import { channel } from '@tara/contract/wire/realtime';
import { useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Stars, VerifiedMark } from '../../ui/marks.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import { receiveReview, reviewPages } from './review-cache.ts';

/** The reviews of one member, newest first, as an endless list. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const list = useLoadedPages(reviewPages(ownerId));
  useRealtime([channel.collection('reviews')], receiveReview);
  return (
    <PagedList
      list={list}
      empty={{
        illustration: 'table',
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
