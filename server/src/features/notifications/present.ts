import type { MemberText, RequestPage, RequestText } from '@tara/contract/notifications/event';
import { findEvent } from '@tara/contract/notifications/events';
import type { Notification } from '@tara/contract/notifications/notifications';
import { presentPerson } from '../profiles/index.ts';
import { requestFacts } from './lines.ts';
import type { NotificationRow } from './read.ts';

/** What one person reads of a notification, in the app and in an email; `link` is a path. */
export type NotificationTexts = Pick<MemberText, 'title' | 'text' | 'button' | 'link' | 'otherwise'>;

/** A title is one line, also as the subject of an email. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** The screen of the plan chat of a request. */
export const planChatPath = (chatId: string, interactionId: string | null) =>
  `/manage-plans/conversation-receipt/${chatId}?interactionId=${interactionId}`;

function pagePath({ notification, request, isChatHidden }: NotificationRow, page: RequestPage): string {
  const { interactionId, profileId, details } = notification;
  switch (page) {
    case 'manager':
      return '/manage-plans';
    case 'dispute':
      return `/dispute/${interactionId}`;
    case 'history':
      return `/profile/history/${profileId}`;
    case 'payoutNumber':
      return '/update-profile?tab=info';
    case 'payment':
    case 'refund':
    case 'payout':
      return `/confirmation/${page}/${details.paymentId ?? interactionId}`;
    case 'chat':
      return request === null || request.chatId === null || isChatHidden
        ? '/manage-plans'
        : planChatPath(request.chatId, interactionId);
    default:
      return `/manage-plans?tab=${page}`;
  }
}

/** What the recipient's text of a request's event says. */
function requestText(row: NotificationRow, ownName: string): RequestText | null {
  const { notification, request } = row;
  const event = findEvent(notification.event);
  if (event?.audience !== 'parties' || request === null) return null;
  const isClient = notification.profileId === request.clientId;
  const name = row.hiddenName ?? row.other?.name ?? '';
  const facts = {
    ...requestFacts(request, notification.details),
    ...(isClient ? { client: ownName, creator: name } : { client: name, creator: ownName }),
  };
  return (isClient ? event.client : event.creator)?.(facts) ?? null;
}

/**
 * The texts of a notification for its recipient, whose name is `ownName`; null where there are none, such as of an event of
 * an older version.
 */
export function presentTexts(row: NotificationRow, ownName: string): NotificationTexts | null {
  const { notification } = row;
  const event = findEvent(notification.event);
  if (event === undefined) return null;
  if (event.audience === 'parties') {
    const text = requestText(row, ownName);
    if (text === null) return null;
    return { ...text, title: oneLine(text.title), link: pagePath(row, text.page) };
  }
  const { recordId, details } = notification;
  const others = Number(details.others ?? 0);
  const facts = { actor: row.hiddenName ?? row.other?.name ?? '', others, recordId, details };
  const text = event.audience === 'member' ? event.member(facts) : event.admin(facts);
  return { ...text, title: oneLine(text.title) };
}

/** The title of several notifications: that of the newest, and how many more there are. */
export const summaryTitle = (newest: string, moreCount: number): string =>
  moreCount === 0 ? newest : `${newest}, and ${moreCount} more`;

/** A notification as its recipient's list has it; null where it has no texts. */
export function presentNotification(row: NotificationRow, ownName: string): Notification | null {
  const { notification, other, picture, hiddenName } = row;
  const texts = presentTexts(row, ownName);
  const event = findEvent(notification.event);
  if (texts === null || event === undefined) return null;
  const { id, createdAt, readAt } = notification;
  return {
    ...{ id, event: notification.event, group: event.group },
    ...{ title: texts.title, text: texts.text, link: texts.link },
    person: other === null || hiddenName !== null ? null : presentPerson(other, picture),
    isRead: readAt !== null,
    createdAt: createdAt.toISOString(),
  };
}
