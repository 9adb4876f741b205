import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import type { Post } from '@tara/contract/posts';
import { MapPin } from 'lucide-react';
import { Avatar } from '../../ui/Avatar.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';

/** Who posted, where and when; the person is a link to their profile. */
export function PostByline({ post: { creator, location, createdAt } }: { post: Post }) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      {/* The name beside it is the same link: one stop for the keyboard is enough. */}
      <Link to="/profile/$id" params={{ id: creator.id }} tabIndex={-1} aria-hidden="true">
        <Avatar name={creator.name} src={sized(creator.picture.imageUrl, 96)} size="md" />
      </Link>
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-1.5">
          <Link
            to="/profile/$id"
            params={{ id: creator.id }}
            className="touch truncate font-semibold hover:underline"
          >
            {creator.name}
          </Link>
          {creator.verified && <VerifiedMark size={16} />}
        </div>
        <div className="flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
          {location && (
            <>
              <Icon of={MapPin} size={14} className="shrink-0" />
              <span className="truncate">{location}</span>
              <span aria-hidden="true">·</span>
            </>
          )}
          <TimeLabel iso={createdAt} />
        </div>
      </div>
    </div>
  );
}
