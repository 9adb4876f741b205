import { Link, linkOptions } from '@tanstack/react-router';
import type { OwnProfile } from '@tara/contract/profiles';
import {
  BadgeCheck,
  Bookmark,
  CalendarHeart,
  CalendarPlus,
  Handshake,
  History,
  PiggyBank,
} from 'lucide-react';
import { useSession } from '../features/accounts/index.ts';
import { Icon } from '../ui/Icon.tsx';

/** The 'menu of extra links' (§2). 'Get Verified' is for members who have not asked yet. */
export function extraLinks({
  id,
  verified,
  sentVerifiedReq,
}: Pick<OwnProfile, 'id' | 'verified' | 'sentVerifiedReq'>) {
  const params = { id };
  return [
    { label: 'Your plans', icon: CalendarHeart, link: linkOptions({ to: '/profile/plans/$id', params }) },
    {
      label: 'Create a plan',
      icon: CalendarPlus,
      link: linkOptions({ to: '/profile/create-plans/$id', params }),
    },
    {
      label: 'Friend requests',
      icon: Handshake,
      link: linkOptions({ to: '/profile/friend-request/$id', params }),
    },
    { label: 'History', icon: History, link: linkOptions({ to: '/profile/history/$id', params }) },
    { label: 'Earnings', icon: PiggyBank, link: linkOptions({ to: '/earnings' }) },
    { label: 'Saved', icon: Bookmark, link: linkOptions({ to: '/saved' }) },
    ...(verified || sentVerifiedReq
      ? []
      : [{ label: 'Get Verified', icon: BadgeCheck, link: linkOptions({ to: '/verifying-identity' }) }]),
  ];
}

/** The extra links as a list. */
export function ExtraLinks() {
  const { profile } = useSession();
  return (
    <nav aria-label="Extra links">
      <ul className="flex flex-col gap-1">
        {extraLinks(profile).map(({ label, icon, link }) => (
          <li key={label}>
            <Link
              {...link}
              activeProps={{ className: 'bg-guava-soft text-guava! font-semibold' }}
              className="flex min-h-11 items-center gap-3 rounded-control px-3 py-2 font-medium text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <Icon of={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
