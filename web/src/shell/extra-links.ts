import { linkOptions } from '@tanstack/react-router';
import type { OwnProfile } from '@tara/contract/profiles';
import { BadgeCheck, Bookmark, CalendarHeart, CalendarPlus, Handshake, History } from 'lucide-react';

/** The 'menu of extra links' (§2): what a member reaches besides the navigation. */
export function extraLinks({ id, verified }: Pick<OwnProfile, 'id' | 'verified'>) {
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
    { label: 'Saved', icon: Bookmark, link: linkOptions({ to: '/saved' }) },
    ...(verified
      ? []
      : [{ label: 'Get Verified', icon: BadgeCheck, link: linkOptions({ to: '/verifying-identity' }) }]),
  ];
}
