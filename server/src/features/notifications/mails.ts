import { notificationsPerEmail } from '@tara/contract/limits';
import { type NotificationGroup, notificationGroups } from '@tara/contract/notifications/groups';
import type { UnsubscribeTopic } from '@tara/contract/notifications/unsubscribe';
import { composeMail, type MailLink, renderMail } from '../../platform/mail/compose.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import type { Platform } from '../../platform/platform.ts';
import { type NotificationTexts, summaryTitle } from './present.ts';
import type { Recipient } from './recipient.ts';
import { unsubscribeToken } from './unsubscribe.ts';

type MailContext = Pick<Platform, 'config' | 'sealer'>;

/** A notification that is mailed. */
export interface MailedItem {
  group: NotificationGroup;
  texts: NotificationTexts;
}

/** One of several in an email. */
export interface SummaryItem extends MailedItem {
  /** Whether it is in the member's list, too. */
  inApp: boolean;
}

const list = new Intl.ListFormat('en');

/** The page of the settings, and the link that ends these emails; both sign nobody in. */
function footer(
  { config, sealer }: MailContext,
  { profileId }: Pick<Recipient, 'profileId'>,
  topics: readonly UnsubscribeTopic[],
): { links: MailLink[]; unsubscribeUrl?: string } {
  const links = [{ label: 'Choose what Tara mails you', url: `${config.publicUrl}/settings/notifications` }];
  if (topics.length === 0) return { links };
  const token = unsubscribeToken(sealer, profileId, topics);
  const names = topics.map((topic) =>
    topic === 'dailyEmail' ? '' : notificationGroups[topic].label.toLowerCase(),
  );
  const label = topics.includes('dailyEmail')
    ? 'Stop the daily email'
    : `Stop emails about ${list.format(names)}`;
  return {
    links: [...links, { label, url: `${config.publicUrl}/unsubscribe/${token}` }],
    unsubscribeUrl: `${config.publicUrl}/api/unsubscribe/${token}`,
  };
}

/** The email of one notification. Of a group that stays on it offers no way to end it. */
export function composeNotification(
  context: MailContext,
  to: string,
  recipient: Recipient,
  { group, texts }: MailedItem,
): Mail {
  const { title, text, button, link, otherwise = notificationGroups[group].because } = texts;
  const { links, unsubscribeUrl } = notificationGroups[group].canSwitchOff
    ? footer(context, recipient, [group])
    : { links: [] };
  const template = { subject: title, why: text || title, button, otherwise, links };
  const mail = composeMail(to, recipient.name, context.config.publicUrl + link, template);
  return unsubscribeUrl === undefined ? mail : { ...mail, unsubscribeUrl };
}

const summaries = {
  daily: {
    why: 'This is new, and you have not seen it yet.',
    because: 'You get this email at most once a day, when there is something that you have not seen.',
  },
  held: {
    why: 'This came while your notifications were quiet.',
    because: 'You get this email because you chose quiet hours, or a pause, for your notifications on Tara.',
  },
} as const;
export type SummaryKind = keyof typeof summaries;

/** One email for several notifications, the newest first. `hasMore`: whether older ones were not looked at. */
export function composeSummary(
  context: MailContext,
  to: string,
  recipient: Recipient,
  { kind, items, hasMore }: { kind: SummaryKind; items: readonly SummaryItem[]; hasMore: boolean },
): Mail {
  const { publicUrl } = context.config;
  const { why, because } = summaries[kind];
  const groups = [...new Set(items.map(({ group }) => group))];
  const endable = groups.filter((group) => notificationGroups[group].canSwitchOff);
  // What comes also without the daily email has no link that ends it.
  const topics: UnsubscribeTopic[] = kind === 'daily' && endable.length > 0 ? ['dailyEmail'] : endable;
  const { links, unsubscribeUrl } = footer(context, recipient, topics);
  // What is in no list is named here, however much there is.
  const named = items.filter(({ inApp }, index) => index < notificationsPerEmail || !inApp);
  const rest = items.length - named.length;
  const mail = renderMail(to, recipient.name, {
    subject: summaryTitle(items[0]?.texts.title ?? 'New on Tara', items.length - 1),
    parts: [
      { text: why },
      {
        items: named.map(({ texts }) => ({
          ...{ title: texts.title, text: texts.text, url: publicUrl + texts.link },
        })),
      },
      ...(rest > 0 ? [{ text: `And ${hasMore ? 'more than ' : ''}${rest} more in the app.` }] : []),
      { button: 'See all of them', url: `${publicUrl}/notifications` },
    ],
    ...{ last: [because], links },
  });
  return unsubscribeUrl === undefined ? mail : { ...mail, unsubscribeUrl };
}
