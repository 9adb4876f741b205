import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { type OwnProfile, type Profile, shownAboutFields } from '@tara/contract/members/profiles';
import { BadgeCheck, CalendarHeart, Camera, Clock, MapPin, Pencil } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { Collapsible, compactCount } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { ImageViewer, useOpenState } from '../../ui/lazy-overlays.tsx';
import { Badge, VerifiedMark } from '../../ui/marks.tsx';
import { dateLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.ts';
import { MessageButton } from '../conversations/index.ts';
import { InviteButton } from '../public-links/index.ts';
import { HobbyChips } from './PeopleScreen.tsx';

/** Buttons in a row; on phones two in each, of one width, so that their labels have a line each. */
const actionsClass =
  'flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))]';

interface ProfileHeaderProps {
  profile: Profile | OwnProfile;
  /** How many plans the member offers: '10+' where there are more. */
  plans: string;
}

/** Picture, name, numbers, bio and interests of a profile, with its links. */
export function ProfileHeader({ profile, plans }: ProfileHeaderProps) {
  const { id, name, username, bio, city, verified } = profile;
  const own = isOwn(profile);
  return (
    <header className="flex flex-col gap-4">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-4 sm:gap-x-8">
        <div className="sm:row-span-2">
          <ProfilePicture profile={profile} />
        </div>
        <div className="min-w-0 sm:self-end">
          <div className="flex items-center gap-2">
            <p className="flex min-w-0 flex-1 items-center gap-2">
              {/* Screen readers read the page's heading instead. */}
              <span
                aria-hidden="true"
                className="line-clamp-2 text-xl font-bold tracking-tight wrap-anywhere sm:text-3xl"
              >
                {name}
              </span>
              {verified && <VerifiedMark size={20} className="shrink-0" />}
            </p>
            {!own && <MemberMenu member={profile} muted={profile.muted === true} />}
          </div>
          <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
            <span className="truncate">@{username}</span>
            {city && (
              <span className="flex min-w-0 items-center gap-1">
                <Icon of={MapPin} size={16} />
                <span className="truncate">{city}</span>
              </span>
            )}
          </p>
        </div>
        <Numbers profile={profile} plans={plans} />
      </div>
      {bio && <p className="line-clamp-3 max-w-prose text-lg text-pretty wrap-anywhere">{bio}</p>}
      <HobbyChips person={profile} />
      <div className={actionsClass}>
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
        {own && <InviteButton />}
        {own && <GetVerifiedButton profile={profile} />}
      </div>
    </header>
  );
}

/** Meetings, stars and plans in one row; the stars lead to the reviews, the plans to their list. */
function Numbers({ profile: { id, rating }, plans }: ProfileHeaderProps) {
  const { stars, totalReviews, totalMeetings } = rating;
  return (
    <ul className="grid max-w-sm grid-cols-3 text-center max-sm:col-span-2 sm:self-start sm:text-left">
      <li className="flex flex-col">
        <NumberText value={compactCount(totalMeetings)} word={totalMeetings === 1 ? 'meeting' : 'meetings'} />
      </li>
      <li>
        <Link
          to="/profile/$id"
          params={{ id }}
          search={{ show: 'reviews' }}
          replace
          resetScroll={false}
          className="touch flex flex-col rounded-control hover:underline"
        >
          {stars === null ? (
            <NumberText value="New" word="no reviews" />
          ) : (
            <NumberText
              value={
                <>
                  {(stars / 2).toFixed(1)}
                  <span aria-hidden="true" className="text-mango-ink">
                    {' '}
                    ★
                  </span>
                  <span className="sr-only"> of 5 stars,</span>
                </>
              }
              word={`${compactCount(totalReviews)} ${totalReviews === 1 ? 'review' : 'reviews'}`}
            />
          )}
        </Link>
      </li>
      <li>
        <Link
          to="/profile/plans/$id"
          params={{ id }}
          className="touch flex flex-col rounded-control hover:underline"
        >
          <NumberText value={plans} word={plans === '1' ? 'plan' : 'plans'} />
        </Link>
      </li>
    </ul>
  );
}

function NumberText({ value, word }: { value: ReactNode; word: string }) {
  return (
    <>
      <span className="figures text-xl font-bold">{value}</span>{' '}
      <span className="text-sm text-ink-soft">{word}</span>
    </>
  );
}

/** A tap changes one's own picture; others' opens full screen. */
function ProfilePicture({ profile }: { profile: Profile | OwnProfile }) {
  const { name, picture } = profile;
  const viewer = useOpenState();
  const avatar = <PersonAvatar person={profile} size="2xl" className="max-sm:size-24!" />;
  if ('sentVerifiedReq' in profile) {
    return (
      <Link
        to="/update-profile"
        aria-label="Change your profile picture"
        className="relative shrink-0 rounded-full"
      >
        {avatar}
        <span className="absolute right-0 bottom-0 flex size-9 items-center justify-center rounded-full bg-ink text-paper">
          <Icon of={Camera} size={18} />
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
        className="shrink-0 cursor-zoom-in! rounded-full"
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
/** A bio that may be longer than the three lines above; About has all of it. */
const BIO_LINES_LENGTH = 90;

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
      {bio.length > BIO_LINES_LENGTH && (
        <p className="mb-4 max-w-prose wrap-anywhere whitespace-pre-line">{bio}</p>
      )}
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
