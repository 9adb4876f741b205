import { adminEvents } from './admin-events.ts';
import type { NotificationChannel } from './channels.ts';
import type { AdminEvent, MemberEvent, RequestEvent } from './event.ts';
import type { NotificationGroup } from './groups.ts';
import { meetingEvents } from './meeting-events.ts';
import { memberEvents } from './member-events.ts';
import { moneyEvents } from './money-events.ts';

/** Events of requests, for their parties. */
export const requestEvents = { ...meetingEvents, ...moneyEvents };

/**
 * Everything that people are notified of, each with whom it reaches, its texts and links, its group, how urgent it is and
 * its usual ways. A new event is a row there and a call of `notify`.
 */
export const notificationEvents = { ...requestEvents, ...memberEvents, ...adminEvents };

export type RequestEventName = keyof typeof requestEvents;
export type MemberEventName = keyof typeof memberEvents;
export type AdminEventName = keyof typeof adminEvents;
export type EventName = keyof typeof notificationEvents;

/** The row of an event; undefined for the name of none, such as of an older version. */
export function findEvent(name: string): RequestEvent | MemberEvent | AdminEvent | undefined {
  return Object.entries<RequestEvent | MemberEvent | AdminEvent>(notificationEvents).find(
    ([known]) => known === name,
  )?.[1];
}

/** The events that another member causes, which nobody hears of who blocked or muted that member. */
export const eventsByMembers = Object.entries<MemberEvent>(memberEvents)
  .filter(([, { byMember }]) => byMember)
  .map(([name]) => name);

/** Messages of chats write no notification, and are pushed alone. */
export const chatMessages = {
  group: 'messages',
  urgency: 'urgent',
  channels: { inApp: false, push: true, email: false },
} as const;

/** Whether anything of a group takes a way: a way that nothing takes is no choice. */
export const groupHasChannel = (group: NotificationGroup, channel: NotificationChannel): boolean =>
  [...Object.values<RequestEvent | MemberEvent | AdminEvent>(notificationEvents), chatMessages].some(
    (event) => event.group === group && event.channels[channel],
  );
