import type { Party } from '@tara/contract/interactions/stages';
import {
  type AdminEventName,
  type MemberEventName,
  notificationEvents,
  type RequestEventName,
} from '@tara/contract/notifications/events';
import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { chosenBy } from './choices.ts';
import { isClosedMember } from './closed.ts';
import { notificationRecipients, notificationRequests, notifications } from './tables.ts';

/** One of the two parties of a request. */
type Recipient = Exclude<Party, 'other'>;

interface EventArgs {
  /** Distinguishes events that happen more than once to the same record, such as 'day-3' of a reminder. */
  occasion?: string;
  /** What the texts say beyond the record, such as a reason or a day. Of a request the words, place and day are erased when a party deletes the account. */
  details?: Readonly<Record<string, string>>;
}

/** What happened to a request, and which parties are notified. */
interface RequestEventArgs extends EventArgs {
  event: RequestEventName;
  interactionId: string;
  to: readonly Recipient[];
}

/** What a member is notified of beside requests. */
interface MemberEventArgs extends EventArgs {
  event: MemberEventName;
  to: { profileId: string } | { accountId: string };
  /** What it is about, such as a post. */
  recordId?: string;
  /** The member who did it. */
  actorId?: string;
  /** Where its email goes, in place of the account's own address. */
  mailTo?: string;
}

/** What all admins are notified of. */
interface AdminEventArgs extends EventArgs {
  event: AdminEventName;
  to: 'admins';
  recordId?: string;
}

/** What `notify` is given. */
export type NotifyArgs = RequestEventArgs | MemberEventArgs | AdminEventArgs;

/** The statement's rows of recipients: `profile_id`, `in_app` and `mail_to`. */
function selectRecipients(args: NotifyArgs): SQL {
  if ('interactionId' in args) {
    const { event, interactionId, to } = args;
    const row = notificationEvents[event];
    const party = (name: Recipient, profileId: SQL) => sql`(${profileId}, ${to.includes(name)}::boolean,
      ${row.channels.inApp && name in row}::boolean)`;
    return sql`select party.profile_id, party.in_app, null as mail_to
      from ${notificationRequests} request cross join lateral (values ${party('client', sql`request.client_id`)},
        ${party('creator', sql`request.creator_id`)}) as party (profile_id, is_included, in_app)
      where request.id = ${interactionId} and party.is_included`;
  }
  const { inApp } = notificationEvents[args.event].channels;
  if (args.to === 'admins')
    return sql`select profile_id, ${inApp}::boolean as in_app, null as mail_to from ${notificationRecipients} where is_admin`;
  // A change of the email itself must not lead its mail astray.
  const mailTo =
    'mailTo' in args && args.mailTo !== undefined
      ? sql`${args.mailTo}::text`
      : notificationEvents[args.event].urgency === 'atOnce'
        ? sql`email`
        : sql`null`;
  const isRecipient =
    'profileId' in args.to ? sql`profile_id = ${args.to.profileId}` : sql`account_id = ${args.to.accountId}`;
  // Nobody hears of what a member does who can use Tara no more.
  const isActive = args.actorId === undefined ? sql`true` : sql`not ${isClosedMember(args.actorId)}`;
  return sql`select profile_id, ${inApp}::boolean as in_app, ${mailTo} as mail_to
    from ${notificationRecipients} where ${isRecipient} and ${isActive}`;
}

/**
 * Notifies people of an event once the transaction of its cause is committed: in the app, by email, and of a request with a
 * line in its plan chat. The same event, record and occasion reaches each person once, however often this is called.
 * @returns whether anybody is notified who was not before.
 */
export async function notify(transaction: Transaction, args: NotifyArgs): Promise<boolean> {
  const { event, occasion = '', details = {} } = args;
  const interactionId = 'interactionId' in args ? args.interactionId : null;
  const recordId = 'recordId' in args ? (args.recordId ?? '') : '';
  const actorId = 'actorId' in args ? (args.actorId ?? null) : null;
  const { group } = notificationEvents[event];
  const added = await transaction.execute<{ id: string }>(sql`
    insert into ${notifications} (profile_id, event, group_name, interaction_id, record_id, occasion, actor_id, details, in_app,
      mail_to)
    select recipient.profile_id, ${event}, ${group}, ${interactionId}, ${recordId}, ${occasion},
      ${actorId}, ${JSON.stringify(details)}::text::jsonb,
      recipient.in_app and ${chosenBy(sql`recipient.profile_id`, group, 'inApp')}, recipient.mail_to
    from (${selectRecipients(args)}) as recipient
    on conflict do nothing returning id`);
  if (added.length === 0) return false;
  await tasks.deliverNotifications.enqueue(transaction, { ids: added.map(({ id }) => id) });
  if (interactionId !== null && 'line' in notificationEvents[event])
    await tasks.writePlanChatLines.enqueue(transaction, { interactionId });
  return true;
}
