import type { Stage } from '@tara/contract/interactions/stages';
import type { AdminEvent, MemberEvent, RequestEvent } from '@tara/contract/notifications/event';
import { notificationGroups } from '@tara/contract/notifications/groups';

/** What decides whether a notification may still reach its recipient. */
export interface DeliveryState {
  /** The account is deleted. */
  isDeleted: boolean;
  /** The account is closed, suspended or about to be deleted. */
  isClosed: boolean;
  /** The member who did it and the recipient are hidden from each other, or the recipient muted that member. */
  isFromHidden: boolean;
  isFromMuted: boolean;
  /** The member who did it is banned, suspended or about to leave. */
  isFromClosed: boolean;
  /** The recipient is an admin. */
  isAdmin: boolean;
  /** Of the request that it is about; null beside requests. */
  stage: Stage | null;
}

/** Decides who still gets a notification, at the moment of its delivery: much can have happened since it was written. */
export const notificationCan = {
  /**
   * Whether it may be mailed or pushed. What cannot be switched off and what a request needs reaches also who cannot use
   * Tara at the moment, and is about the other party whatever the two think of each other. What asks for something goes only
   * while the request still waits for it.
   */
  deliver: (
    event: RequestEvent | MemberEvent | AdminEvent,
    { isDeleted, isClosed, isFromHidden, isFromMuted, isFromClosed, isAdmin, stage }: DeliveryState,
  ): boolean => {
    if (isDeleted) return false;
    if (event.audience === 'parties')
      return event.asksIn === undefined || (stage !== null && event.asksIn.includes(stage));
    if (event.audience === 'admins') return isAdmin && !isClosed;
    if (event.byMember && (isFromHidden || isFromMuted || isFromClosed)) return false;
    return !isClosed || !notificationGroups[event.group].canSwitchOff;
  },
  /** Whether a device is pushed that the member has unread messages of another. */
  pushMessages: ({
    isDeleted,
    isClosed,
    isFromHidden,
    isFromMuted,
    isFromClosed,
  }: Omit<DeliveryState, 'isAdmin' | 'stage'>): boolean =>
    !isDeleted && !isClosed && !isFromHidden && !isFromMuted && !isFromClosed,
} as const;
