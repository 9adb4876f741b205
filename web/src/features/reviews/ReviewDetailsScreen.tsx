import { getRouteApi, Link } from '@tanstack/react-router';
import type { Picture } from '@tara/contract/fields';
import { postImageMaxHeight } from '@tara/contract/limits';
import { type Review, ReviewComment, reviewCan, reviews } from '@tara/contract/plans/reviews';
import { channel } from '@tara/contract/wire/realtime';
import { ArrowLeft, CalendarHeart, MapPin, Pencil } from 'lucide-react';
import { invalidate, queryOf, useLoaded } from '../../lib/queries.ts';
import { type RealtimeEvent, useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar, PersonLink, PictureButton, usePictureSeries } from '../../lib/stored-picture.tsx';
import { iconButtonClass, linkClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { Stars } from '../../ui/marks.tsx';
import { Page } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.ts';
import { Tags } from '../posts/index.ts';
import { Comments } from './Comments.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import { receiveComment, receiveReview, removeComment } from './review-cache.ts';

const route = getRouteApi('/_main/review-details/$id');

const reviewQuery = (id: string) => queryOf(reviews.get, { params: { id } });

/** /review-details/{id} (§2): one review, with its likes and comments, live. */
export function ReviewDetailsScreen() {
  const { id } = route.useParams();
  const { profile } = useSession();
  const review = useLoaded(reviewQuery(id));
  useRealtime(
    [channel.document('reviews', id)],
    (event) => receiveEvent(event, profile.id),
    () => void invalidate(reviews.get, reviews.comments),
  );
  return (
    <Page title="Review" width="feed">
      <div className="flex flex-col gap-5">
        <Link
          to="/profile/$id"
          params={{ id: review.ownerId }}
          search={{ show: 'reviews' }}
          className="touch flex items-center gap-2 self-start font-semibold text-ink-soft hover:text-ink"
        >
          <Icon of={ArrowLeft} size={18} />
          All reviews of {review.owner.name}
        </Link>
        <ReviewArticle review={review} />
        <Comments review={review} />
      </div>
    </Page>
  );
}

/** Shows what happened to the review or to its comments. */
function receiveEvent(event: RealtimeEvent, ownId: string): void {
  const [name = ''] = event.events;
  const comment = ReviewComment.safeParse(event.payload);
  if (!name.includes('.collections.reviewComments.')) receiveReview(event);
  else if (name.endsWith('.delete')) removeComment(String(event.payload.id));
  else if (comment.success) receiveComment(comment.data, ownId);
}

/** All details of a review: author, plan, stars, caption and photos. */
function ReviewArticle({ review }: { review: Review }) {
  const { creator, owner, planId, planTitle, caption, photos, location, stars, tags, createdAt, editedAt } =
    review;
  const { profile } = useSession();
  return (
    <article aria-label={`Review by ${creator.name}`}>
      <header className="flex items-center gap-3 pb-3">
        <PersonAvatar person={creator} />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5">
            <PersonLink person={creator} />
          </p>
          <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
            <span className="truncate">@{creator.username}</span>
            <TimeLabel iso={createdAt} />
            {editedAt !== null && <span>· edited</span>}
          </p>
        </div>
        <MemberMenu member={creator} target={{ kind: 'review', recordId: review.id }} />
        {reviewCan.edit(profile.id, review) === true && (
          <Link
            to="/update-review/$id"
            params={{ id: review.id }}
            aria-label="Edit review"
            className={iconButtonClass()}
          >
            <Icon of={Pencil} />
          </Link>
        )}
      </header>
      <div className="bleed overflow-hidden sm:rounded-card">
        <ReviewPhotos photos={photos} by={creator.name} />
      </div>
      <div className="flex flex-col gap-4 py-4">
        <Stars value={stars} size={24} figure />
        <p className="wrap-anywhere whitespace-pre-line">{caption}</p>
        <Tags tags={tags} />
        <ul className="flex flex-col gap-2 text-sm text-ink-soft">
          <li className="flex items-center gap-2">
            <Icon of={CalendarHeart} size={18} className="shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <Link to="/profile/plan-details/$id" params={{ id: planId }} className={linkClass}>
                {planTitle}
              </Link>{' '}
              with{' '}
              <Link to="/profile/$id" params={{ id: owner.id }} className={linkClass}>
                {owner.name}
              </Link>
            </span>
          </li>
          {location && (
            <li className="flex items-center gap-2">
              <Icon of={MapPin} size={18} className="shrink-0" />
              <span className="min-w-0 wrap-anywhere">{location}</span>
            </li>
          )}
        </ul>
      </div>
      <ReviewActions review={review} className="-ml-3" />
    </article>
  );
}

/** The photos of a review, the first large; a press opens them full screen (§2). */
function ReviewPhotos({ photos, by }: { photos: Picture[]; by: string }) {
  const { index, open, viewer } = usePictureSeries(photos.length);
  const altOf = (position: number) =>
    photos[position]?.alt ||
    (photos.length > 1 ? `Photo ${position + 1} of the review by ${by}` : `Photo of the review by ${by}`);
  const buttonOf = (position: number) => ({
    alt: altOf(position),
    label: `${altOf(position)}, open full screen`,
    onPress: () => open(position),
    className: '-outline-offset-2!',
  });
  const [first, ...others] = photos;
  if (!first) return null;
  return (
    <>
      <PictureButton {...buttonOf(0)} picture={first} maxHeight={postImageMaxHeight} eager />
      {others.length > 0 && (
        <ul aria-label="More photos" className="mt-1 grid grid-cols-4 gap-1">
          {others.map((photo, offset) => (
            <li key={photo.imageUrl}>
              <PictureButton {...buttonOf(offset + 1)} picture={photo} ratio="1 / 1" sizes="160px" />
            </li>
          ))}
        </ul>
      )}
      <ImageViewer {...viewer} src={photos[index]?.imageUrl ?? first.imageUrl} alt={altOf(index)} />
    </>
  );
}
