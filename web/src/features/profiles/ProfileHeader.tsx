import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { type OwnProfile, type Profile, shownAboutFields } from '@tara/contract/members/profiles';
import { BadgeCheck, CalendarHeart, Camera, Clock, Pencil } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { Collapsible, RatingLine } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { ImageViewer, useHistoryFlag } from '../../ui/lazy-overlays.tsx';
import { Badge, VerifiedMark } from '../../ui/marks.tsx';
import { Card } from '../../ui/Page.tsx';
import { dateLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.tsx';
import { MessageButton } from '../conversations/index.tsx';
import { bioPreview } from './PeopleScreen.tsx';

/** Picture, name and bio of a profile, with its links. */
export function ProfileHeader({ profile }: { profile: Profile | OwnProfile }) {
  const { id, name, username, bio, verified, rating } = profile;
  const own = isOwn(profile);
  return (
    <Card className="relative flex flex-col items-center gap-4 text-center sm:flex-row sm:gap-6 sm:text-left">
      <ProfilePicture profile={profile} />
      <div className="flex max-w-full min-w-0 flex-1 flex-col items-center gap-1 sm:items-start">
        <p className="flex max-w-full items-center gap-2">
          {/* Screen readers read the page's heading instead. */}
          <span aria-hidden="true" className="truncate text-xl font-bold">
            {name}
          </span>
          {verified && <VerifiedMark size={20} />}
        </p>
        <p className="text-ink-soft">@{username}</p>
        <Link
          to="/profile/$id"
          params={{ id }}
          search={{ show: 'reviews' }}
          replace
          resetScroll={false}
          className="touch text-sm text-ink-soft hover:underline"
        >
          {rating.totalReviews + rating.totalMeetings > 0 ? (
            <RatingLine rating={rating} />
          ) : (
            'No meetings so far'
          )}
        </Link>
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
            <MessageButton person={profile} />
          )}
          {own && <GetVerifiedButton profile={profile} />}
        </div>
      </div>
      {!own && (
        <div className="absolute top-3 right-3">
          <MemberMenu member={profile} muted={profile.muted === true} />
        </div>
      )}
    </Card>
  );
}

/** A tap changes one's own picture; others' opens full screen. */
function ProfilePicture({ profile }: { profile: Profile | OwnProfile }) {
  const { name, picture } = profile;
  const viewer = useHistoryFlag('picture');
  const avatar = <PersonAvatar person={profile} size="2xl" />;
  if ('sentVerifiedReq' in profile) {
    return (
      <Link to="/update-profile" aria-label="Change your profile picture" className="relative rounded-full">
        {avatar}
        <span className="absolute right-0 bottom-0 flex size-10 items-center justify-center rounded-full border border-line bg-raised text-ink">
          <Icon of={Camera} />
        </span>
      </Link>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-label={`View the profile picture of ${name}`}
        onClick={viewer.open}
        className="cursor-zoom-in! rounded-full"
      >
        {avatar}
      </button>
      <ImageViewer
        open={viewer.isOpen}
        onClose={viewer.close}
        src={urlAtWidth(picture.imageUrl, 1080)}
        alt={`Profile picture of ${name}`}
      />
    </>
  );
}

const BirthDateCorrection = lazyPart(() => import('./BirthDateCorrection.tsx'));
const unset = dateLabel(null);

/** The collapsible About of a profile (§2). Only the owner sees birth date and phone number. */
export function AboutPanel({ profile }: { profile: Profile | OwnProfile }) {
  const { isUserAdmin } = useSession().account;
  const { bio } = profile;
  const [first, ...facts] = shownAboutFields
    .filter(({ place }) => place !== undefined)
    .map(({ name, label }) => (
      <Fact key={name} name={label}>
        {profile[name] || unset}
      </Fact>
    ));
  return (
    <Collapsible title="About">
      {bioPreview(bio) !== bio && <p className="mb-4 max-w-prose wrap-anywhere whitespace-pre-line">{bio}</p>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-3">
        {first}
        {isOwn(profile) && <Fact name="Birth date">{dateLabel(profile.bDay)}</Fact>}
        {facts}
        {isOwn(profile) && <Fact name="Phone number">{profile.phoneNumber || unset}</Fact>}
        <Fact name="Verified status">
          <VerifiedStatus profile={profile} />
        </Fact>
      </dl>
      {isOwn(profile) && (
        <p className="mt-4 text-sm text-ink-soft">
          Only you and admins see your birth date and phone number.
        </p>
      )}
      {isUserAdmin && !isOwn(profile) && (
        <div className="mt-4 min-h-9">
          <Suspense>
            <BirthDateCorrection member={profile} />
          </Suspense>
        </div>
      )}
    </Collapsible>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Verified; for its owner 'Get verified' or 'waiting...'; for others 'Not yet verified' (§4). */
function VerifiedStatus({ profile }: { profile: Profile | OwnProfile }) {
  if (profile.verified) {
    return (
      <Badge tone="lagoon" icon={BadgeCheck}>
        Verified
      </Badge>
    );
  }
  if (!isOwn(profile)) return <span>Not yet verified</span>;
  if (profile.sentVerifiedReq) {
    return (
      <Badge tone="mango" icon={Clock}>
        waiting...
      </Badge>
    );
  }
  return (
    <Link to="/verifying-identity" className={linkClass}>
      Get verified
    </Link>
  );
}

/** A link to /verifying-identity, for owners who have not sent a request (§2). */
function GetVerifiedButton({ profile }: { profile: OwnProfile }) {
  if (profile.verified || profile.sentVerifiedReq) return null;
  return (
    <Link to="/verifying-identity" className={buttonClass({ variant: 'secondary' })}>
      <Icon of={BadgeCheck} />
      Get Verified
    </Link>
  );
}

/** Whether the viewer owns the profile: only then the server includes the private fields. */
const isOwn = (profile: Profile | OwnProfile): profile is OwnProfile => 'sentVerifiedReq' in profile;
