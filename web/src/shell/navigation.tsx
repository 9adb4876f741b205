import { Link, linkOptions } from '@tanstack/react-router';
import type { WorkCounts } from '@tara/contract/admin';
import type { OwnProfile } from '@tara/contract/members/profiles';
import {
  BadgeCheck,
  Bell,
  Bookmark,
  CalendarHeart,
  CalendarPlus,
  CircleHelp,
  ClipboardCheck,
  Compass,
  CreditCard,
  Flag,
  Handshake,
  History,
  House,
  Landmark,
  LifeBuoy,
  type LucideIcon,
  MessageCircle,
  PiggyBank,
  Plus,
  SquareCheckBig,
  UsersRound,
} from 'lucide-react';
import { create } from 'zustand';
import { firstCalls, hasAdminRights, sessionQuery, useSession } from '../features/accounts/index.ts';
import { useCounts } from '../features/counts/index.ts';
import { queryOf, useOptional } from '../lib/queries.ts';
import type { FileRouteTypes } from '../routeTree.gen.ts';
import { storedItem, storeItem } from '../ui/browser-storage.ts';
import { Icon } from '../ui/Icon.tsx';

export interface NavigationLink {
  /** A screen whose address has no parameters. */
  to: Exclude<FileRouteTypes['to'], `${string}$${string}`>;
  label: string;
  icon: LucideIcon;
  /** A shorter label for the bottom bar. */
  short?: string;
  /** What waits there: work for an admin, one’s own requests with their chats, or what one has not read. */
  counted?: readonly (keyof WorkCounts)[] | 'ownPlans' | 'conversations' | 'notifications';
}

const link = (
  to: NavigationLink['to'],
  label: string,
  icon: LucideIcon,
  more?: Pick<NavigationLink, 'short' | 'counted'>,
): NavigationLink => ({ to, label, icon, ...more });

const home = link('/', 'Home', House);
const explore = link('/explore', 'Explore', Compass);
const people = link('/all-users', 'People', UsersRound);
const plans = link('/manage-plans', 'Manage Plans', SquareCheckBig, {
  short: 'Plans',
  counted: 'ownPlans',
});
const chats = link('/chats', 'Messages', MessageCircle, { counted: 'conversations' });
/** Beside the search in the sidebar, and in the top bar. */
export const notificationsLink = link('/notifications', 'Notifications', Bell, { counted: 'notifications' });
const saved = link('/saved', 'Saved', Bookmark);
const createPost = link('/create-post', 'Create Post', Plus, { short: 'Create' });
const verify = link('/verify-users', 'Verify', BadgeCheck, { counted: ['verifications'] });
const confirmPlans = link('/confirm-plans', 'Confirm Plans', ClipboardCheck, {
  short: 'Confirm',
  counted: ['plans'],
});
const disputes = link('/disputes', 'Disputes', LifeBuoy, { counted: ['disputes'] });
const reports = link('/reports', 'Reports', Flag, { counted: ['reports'] });
/** The pages of the admins. */
export const adminLinks: readonly NavigationLink[] = [
  verify,
  confirmPlans,
  disputes,
  link('/no-answer', 'No answer', CircleHelp, { counted: ['noAnswer'] }),
  link('/chargebacks', 'Chargebacks', CreditCard, { counted: ['chargebacks'] }),
  reports,
  link('/money', 'Money', Landmark, { counted: ['unassignedDisputes', 'byHand'] }),
];

export type NavigationMode = 'normal' | 'admin';

/** The two navigations of §2: links of the sidebar, and of the bottom bar on small screens. */
export const navigation: Record<NavigationMode, { side: NavigationLink[]; bottom: NavigationLink[] }> = {
  normal: {
    side: [home, explore, people, plans, chats, saved, createPost],
    bottom: [home, explore, createPost, plans, people],
  },
  admin: {
    side: [home, explore, ...adminLinks, chats],
    // Messages are in the top bar, the others in its menu.
    bottom: [home, verify, confirmPlans, disputes, reports],
  },
};

/** The screens that the navigation leads to; all others are within one of them. */
export const mainPaths: ReadonlySet<string> = new Set(
  [...Object.values(navigation).flatMap(({ side, bottom }) => [...side, ...bottom]), notificationsLink].map(
    ({ to }) => to,
  ),
);

const STORAGE_KEY = 'tara-navigation';

const storedMode = (): NavigationMode => (storedItem(STORAGE_KEY) === 'admin' ? 'admin' : 'normal');

/** The navigation an admin has chosen in this browser; members always see the normal one. */
export const useNavigationMode = create<{ mode: NavigationMode }>(() => ({ mode: storedMode() }));

/** Swaps the navigation, and remembers the choice. */
export function swapNavigation(): void {
  const mode = useNavigationMode.getState().mode === 'normal' ? 'admin' : 'normal';
  useNavigationMode.setState({ mode });
  storeItem(STORAGE_KEY, mode);
}

const COUNTS_INTERVAL_MS = 60_000;

/** How much waits in each list of the admins; null for members, and until it is known. */
function useWorkCounts(): WorkCounts | null {
  const session = useOptional(sessionQuery);
  return useOptional({
    ...queryOf(firstCalls.workCounts),
    enabled: session ? hasAdminRights(session) : false,
    refetchInterval: COUNTS_INTERVAL_MS,
  });
}

interface LinkCount {
  count: number;
  /** Names the count for screen readers. */
  label: 'waiting' | 'unread';
}

/** The count of each link: 0 until it is known. */
export function useLinkCounts(): (link: Pick<NavigationLink, 'counted'>) => LinkCount {
  const work = useWorkCounts();
  const counts = useCounts();
  return ({ counted }) => {
    if (counted === 'conversations') return { count: counts?.conversations ?? 0, label: 'unread' };
    if (counted === 'ownPlans') return { count: counts?.plans ?? 0, label: 'waiting' };
    if (counted === 'notifications') return { count: counts?.notifications ?? 0, label: 'unread' };
    // A server of the version before does not count every list.
    const lists = counted?.map((list) => work?.[list] ?? 0) ?? [];
    return { count: lists.reduce((sum, count) => sum + count, 0), label: 'waiting' };
  };
}

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

/** How the link to the screen that is open looks. */
export const activeLinkProps = { className: 'bg-ink/8 text-ink! font-semibold' };

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
              activeProps={activeLinkProps}
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
