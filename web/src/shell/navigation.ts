import { useQuery } from '@tanstack/react-query';
import type { WorkCounts } from '@tara/contract/admin';
import {
  BadgeCheck,
  Bookmark,
  CircleHelp,
  ClipboardCheck,
  Compass,
  CreditCard,
  Flag,
  House,
  Landmark,
  LifeBuoy,
  type LucideIcon,
  MessageCircle,
  Plus,
  SquareCheckBig,
  UsersRound,
} from 'lucide-react';
import { create } from 'zustand';
import { firstCalls, sessionQuery } from '../features/accounts/index.ts';
import { useUnreadTotals } from '../features/conversations/unread.ts';
import { queryOf } from '../lib/queries.ts';

export interface NavigationLink {
  to:
    | '/'
    | '/explore'
    | '/all-users'
    | '/manage-plans'
    | '/chats'
    | '/saved'
    | '/create-post'
    | '/verify-users'
    | '/confirm-plans'
    | '/disputes'
    | '/no-answer'
    | '/chargebacks'
    | '/reports'
    | '/money';
  label: string;
  /** A shorter label for the bottom bar. */
  short?: string;
  icon: LucideIcon;
  /** What waits there: work for an admin, or messages to read. */
  counted?: keyof WorkCounts | 'messages' | 'planMessages';
}

const home: NavigationLink = { to: '/', label: 'Home', icon: House };
const explore: NavigationLink = { to: '/explore', label: 'Explore', icon: Compass };
const people: NavigationLink = { to: '/all-users', label: 'People', icon: UsersRound };
const plans: NavigationLink = {
  to: '/manage-plans',
  label: 'Manage Plans',
  short: 'Plans',
  icon: SquareCheckBig,
  counted: 'planMessages',
};
const chats: NavigationLink = {
  to: '/chats',
  label: 'Messages',
  icon: MessageCircle,
  counted: 'messages',
};
const saved: NavigationLink = { to: '/saved', label: 'Saved', icon: Bookmark };
const createPost: NavigationLink = { to: '/create-post', label: 'Create Post', short: 'Create', icon: Plus };
const verify: NavigationLink = {
  to: '/verify-users',
  label: 'Verify',
  icon: BadgeCheck,
  counted: 'verifications',
};
const confirmPlans: NavigationLink = {
  to: '/confirm-plans',
  label: 'Confirm Plans',
  short: 'Confirm',
  icon: ClipboardCheck,
  counted: 'plans',
};
const disputes: NavigationLink = {
  to: '/disputes',
  label: 'Disputes',
  icon: LifeBuoy,
  counted: 'disputes',
};
const noAnswer: NavigationLink = {
  to: '/no-answer',
  label: 'No answer',
  icon: CircleHelp,
  counted: 'noAnswer',
};
const chargebacks: NavigationLink = {
  to: '/chargebacks',
  label: 'Chargebacks',
  icon: CreditCard,
  counted: 'chargebacks',
};
const reports: NavigationLink = { to: '/reports', label: 'Reports', icon: Flag, counted: 'reports' };
const money: NavigationLink = { to: '/money', label: 'Money', icon: Landmark };
/** The pages of the admins. */
export const adminLinks: readonly NavigationLink[] = [
  verify,
  confirmPlans,
  disputes,
  noAnswer,
  chargebacks,
  reports,
  money,
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
    // Messages stand in the top bar, the others in its menu.
    bottom: [home, verify, confirmPlans, disputes, reports],
  },
};

const STORAGE_KEY = 'tara-navigation';

function storedMode(): NavigationMode {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'admin' ? 'admin' : 'normal';
  } catch {
    // Storage can be forbidden; then the choice holds until the next load.
    return 'normal';
  }
}

/** The navigation an admin has chosen in this browser; members always see the normal one. */
export const useNavigationMode = create<{ mode: NavigationMode }>(() => ({ mode: storedMode() }));

/** Swaps the navigation, and remembers the choice. */
export function swapNavigation(): void {
  const mode = useNavigationMode.getState().mode === 'normal' ? 'admin' : 'normal';
  useNavigationMode.setState({ mode });
  try {
    localStorage.setItem(STORAGE_KEY, mode);
  } catch {
    // As above.
  }
}

const COUNTS_INTERVAL_MS = 60_000;

/** How much waits in each list of the admins; null for members, and until it is known. */
function useWorkCounts(): WorkCounts | null {
  const { data: session } = useQuery(sessionQuery);
  const { data } = useQuery({
    ...queryOf(firstCalls.workCounts),
    enabled: session?.account.isUserAdmin === true,
    refetchInterval: COUNTS_INTERVAL_MS,
  });
  return data ?? null;
}

interface LinkCount {
  count: number;
  /** Names the count for screen readers. */
  label: 'waiting' | 'unread';
}

/** The count of each link: 0 until it is known. */
export function useLinkCounts(): (link: Pick<NavigationLink, 'counted'>) => LinkCount {
  const work = useWorkCounts();
  const unread = useUnreadTotals();
  return ({ counted }) => {
    if (counted === 'messages')
      return { count: unread ? unread.conversations + unread.requests : 0, label: 'unread' };
    if (counted === 'planMessages') return { count: unread?.receipts ?? 0, label: 'unread' };
    return { count: (counted && work?.[counted]) ?? 0, label: 'waiting' };
  };
}
