import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import type { Review } from '@tara/contract/reviews';
import { Card } from '../../ui/Card.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { shortened } from '../../ui/shortened.ts';
import { TimeLabel } from '../../ui/TimeLabel.tsx';

/** One review in a list: a link to all of it. */
export function ReviewCard({ review }: { review: Review }) {
  const { id, picture, stars, caption, planTitle, creator, createdAt } = review;
  return (
    <Link to="/review-details/$id" params={{ id }} className="block rounded-card">
      <Card as="article" interactive className="flex gap-4">
        {picture && (
          <div className="w-24 shrink-0">
            <Picture
              width={picture.width}
              height={picture.height}
              alt={picture.alt || `Photo by ${creator.name}`}
              source={(pixels) => sized(picture.imageUrl, pixels)}
              thumbhash={picture.thumbhash}
              sizes="96px"
              ratio="1 / 1"
              className="rounded-control"
            />
          </div>
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <Stars value={stars} figure />
          <p className="wrap-anywhere whitespace-pre-line">{shortened(caption, displayLength.comment)}</p>
          <p className="truncate text-sm text-ink-soft">
            {planTitle} · {creator.name} · <TimeLabel iso={createdAt} />
          </p>
        </div>
      </Card>
    </Link>
  );
}
