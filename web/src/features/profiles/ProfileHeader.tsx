import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import type { OwnProfile, Profile } from '@tara/contract/profiles';
import { CalendarHeart, MessageCircle, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { VerifiedMark } from '../../ui/VerifiedMark.tsx';
import { bioPreview } from './bio-preview.ts';
import { isOwn } from './is-own.ts';
import { GetVerifiedButton } from './VerifiedStatus.tsx';

/** Who it is, and what one can do here. */
export function ProfileHeader({ profile }: { profile: Profile | OwnProfile }) {
  const { id, accountId, name, username, bio, picture, verified } = profile;
  const own = isOwn(profile);
  const [viewing, setViewing] = useState(false);
  return (
    <Card className="flex flex-col items-center gap-4 text-center sm:flex-row sm:gap-6 sm:text-left">
      <button
        type="button"
        aria-label={`View the profile picture of ${name}`}
        onClick={() => setViewing(true)}
        className="cursor-zoom-in! rounded-full"
      >
        <Avatar name={name} src={sized(picture.imageUrl, 320)} size="2xl" />
      </button>
      <ImageViewer
        open={viewing}
        onClose={() => setViewing(false)}
        src={sized(picture.imageUrl, 1080)}
        alt={`Profile picture of ${name}`}
      />
      <div className="flex max-w-full min-w-0 flex-1 flex-col items-center gap-1 sm:items-start">
        <p className="flex max-w-full items-center gap-2">
          {/* The heading of the page says it already to who cannot see this. */}
          <span aria-hidden="true" className="truncate text-xl font-bold">
            {name}
          </span>
          {verified && <VerifiedMark size={20} />}
        </p>
        <p className="text-ink-soft">@{username}</p>
        {bio && <p className="mt-1 wrap-anywhere">{bioPreview(bio)}</p>}
        <div className="mt-3 flex flex-wrap items-center justify-center gap-2 sm:justify-start">
          <Link
            to="/profile/plans/$id"
            params={{ id }}
            className={buttonClass({ variant: own ? 'secondary' : 'primary' })}
          >
            <Icon of={CalendarHeart} />
            View Plans
          </Link>
          {own ? (
            <Link to="/update-profile" className={buttonClass({ variant: 'secondary' })}>
              <Icon of={Pencil} />
              Edit Profile
            </Link>
          ) : (
            <Link
              to="/chats/$id"
              params={{ id: accountId }}
              className={buttonClass({ variant: 'secondary' })}
            >
              <Icon of={MessageCircle} />
              Message
            </Link>
          )}
          {own && <GetVerifiedButton profile={profile} />}
        </div>
      </div>
    </Card>
  );
}
