import {
  BadgeCheck,
  Bookmark,
  ClipboardCheck,
  Compass,
  House,
  type LucideIcon,
  MessageCircle,
  Plus,
  SquareCheckBig,
  UsersRound,
} from 'lucide-react';
import { create } from 'zustand';

interface NavigationLink {
  to:
    | '/'
    | '/explore'
    | '/all-users'
    | '/manage-plans'
    | '/chats'
    | '/saved'
    | '/create-post'
    | '/verify-users'
    | '/confirm-plans';
  label: string;
  /** A shorter label for the bottom bar. */
  short?: string;
  icon: LucideIcon;
}

const home: NavigationLink = { to: '/', label: 'Home', icon: House };
const explore: NavigationLink = { to: '/explore', label: 'Explore', icon: Compass };
const people: NavigationLink = { to: '/all-users', label: 'People', icon: UsersRound };
const plans: NavigationLink = {
  to: '/manage-plans',
  label: 'Manage Plans',
  short: 'Plans',
  icon: SquareCheckBig,
};
const chats: NavigationLink = { to: '/chats', label: 'Messages', icon: MessageCircle };
const saved: NavigationLink = { to: '/saved', label: 'Saved', icon: Bookmark };
const createPost: NavigationLink = { to: '/create-post', label: 'Create Post', short: 'Create', icon: Plus };
const verify: NavigationLink = { to: '/verify-users', label: 'Verify', icon: BadgeCheck };
const confirmPlans: NavigationLink = {
  to: '/confirm-plans',
  label: 'Confirm Plans',
  short: 'Confirm',
  icon: ClipboardCheck,
};

export type NavigationMode = 'normal' | 'admin';

/** The two navigations of §2: links of the sidebar, and of the bottom bar on small screens. */
export const navigation: Record<NavigationMode, { side: NavigationLink[]; bottom: NavigationLink[] }> = {
  normal: {
    side: [home, explore, people, plans, chats, saved, createPost],
    bottom: [home, explore, createPost, plans, people],
  },
  admin: {
    side: [home, explore, verify, confirmPlans, chats],
    bottom: [home, explore, verify, confirmPlans, chats],
  },
};

/** The navigation an admin has chosen; members always see the normal one. */
export const useNavigationMode = create<{ mode: NavigationMode }>(() => ({ mode: 'normal' }));

export function swapNavigation(): void {
  useNavigationMode.setState(({ mode }) => ({ mode: mode === 'normal' ? 'admin' : 'normal' }));
}
