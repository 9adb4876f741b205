import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import type { Review } from '@tara/contract/reviews';
import { CalendarHeart, MapPin } from 'lucide-react';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';
import { ReviewPhoto } from './ReviewPhoto.tsx';

/** Who reviewed whom, for which plan, with how many stars, in words and in a picture. */
export function ReviewArticle({ review }: { review: Review }) {
  const { creator, owner, planId, planTitle, caption, picture, location, stars, tags, createdAt } = review;
  return (
    <Card as="article" padding="none" aria-label={`Review by ${creator.name}`} className="overflow-hidden">
      <header className="flex items-center gap-3 p-4">
        <Avatar name={creator.name} src={sized(creator.picture.imageUrl, 96)} />
        <div className="min-w-0">
          <p className="flex items-center gap-1.5">
            <Link
              to="/profile/$id"
              params={{ id: creator.id }}
              className="truncate font-semibold hover:underline"
            >
              {creator.name}
            </Link>
            {creator.verified && <VerifiedMark size={16} />}
          </p>
          <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
            <span className="truncate">@{creator.username}</span>
            <TimeLabel iso={createdAt} />
          </p>
        </div>
      </header>
      {picture && <ReviewPhoto picture={picture} by={creator.name} />}
      <div className="flex flex-col gap-4 p-4">
        <Stars value={stars} size={24} figure />
        <p className="wrap-anywhere whitespace-pre-line">{caption}</p>
        {tags.length > 0 && <p className="text-lagoon">{tags.map((tag) => `#${tag}`).join(' ')}</p>}
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
    </Card>
  );
}
