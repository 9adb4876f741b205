import type { Party } from '@tara/contract/interactions/stages';
import { and, asc, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { accounts, mailOwner } from '../accounts/index.ts';
import { chats, storeLines, writeLine } from '../messages/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { meetingTexts } from './meeting-texts.ts';
import { moneyTexts } from './money-texts.ts';
import { noticeRequests, notices } from './tables.ts';
import { formatPesos, type NoticeFacts, type NoticeMail, type NoticeText } from './text.ts';

/** Every event of a request of which its parties are notified. A new event is a row there and a call of `notify`. */
const noticeTexts = { ...meetingTexts, ...moneyTexts };
type NoticeEvent = keyof typeof noticeTexts;

/** The texts of an event; undefined for the name of none, such as of an older version. */
function textOf(event: string): NoticeText | undefined {
  return Object.entries<NoticeText>(noticeTexts).find(([name]) => name === event)?.[1];
}

/** One of the two parties. */
type Recipient = Exclude<Party, 'other'>;

/** What happened to a request, and which parties are notified. */
export interface Notice {
  event: NoticeEvent;
  interactionId: string;
  /** Who gets the email; the line in the plan chat is read by both. */
  to: readonly Recipient[];
  /** Distinguishes events that happen more than once to a request, such as 'day-3' of a reminder. */
  occasion?: string;
  /** What the texts say beyond the request, such as a reason or a day. Erased when a party deletes the account. */
  details?: Readonly<Record<string, string>>;
}

/**
 * Notifies the parties of a request of an event, once the transaction of its cause is committed: by email, and with a
 * line in their plan chat. The same event and occasion reaches each person once, however often this is called.
 * @returns whether anybody is notified who was not before.
 */
export async function notify(
  transaction: Transaction,
  { event, interactionId, to, occasion = '', details = {} }: Notice,
): Promise<boolean> {
  const includes = (party: Recipient) => sql`${to.includes(party)}::boolean`;
  const added = await transaction.execute(sql`
    insert into ${notices} (interaction_id, event, occasion, profile_id, details)
    select request.id, ${event}, ${occasion}, party.profile_id, ${JSON.stringify(details)}::text::jsonb
    from ${noticeRequests} request
      cross join lateral (values (request.client_id, ${includes('client')}),
        (request.creator_id, ${includes('creator')})) as party (profile_id, is_included)
    where request.id = ${interactionId} and is_included
    on conflict do nothing`);
  if (added.count === 0) return false;
  await tasks.deliverNotices.enqueue(transaction, { interactionId });
  return true;
}

const nameOf = (viewer: SQLWrapper, profile: SQLWrapper) =>
  sql<string>`coalesce(${hiddenName(viewer, profile)},
    (select known.name from ${profiles} known where known.id = ${profile}))`;

/** The notices of a request, oldest first, each with what its texts may say and the account of its receiver. */
const selectNotices = (database: Database | Transaction, interactionId: string) =>
  database
    .select({
      notice: notices,
      request: {
        title: noticeRequests.planTitle,
        priceCentavos: noticeRequests.priceCentavos,
        clientId: noticeRequests.clientId,
        paidAt: noticeRequests.paidAt,
        chatId: noticeRequests.chatId,
        // As long as its request is open the two read it although one is hidden from the other.
        isChatHidden: sql<boolean>`(${chats.closedAt} is not null
          and ${hiddenName(noticeRequests.clientId, noticeRequests.creatorId)} is not null)`,
      },
      // As the other party knows them.
      client: nameOf(noticeRequests.creatorId, noticeRequests.clientId).as('client_name'),
      creator: nameOf(noticeRequests.clientId, noticeRequests.creatorId).as('creator_name'),
      account: {
        email: accounts.email,
        emailVerifiedAt: accounts.emailVerifiedAt,
        name: accounts.name,
        deletedAt: accounts.deletedAt,
      },
    })
    .from(notices)
    .innerJoin(noticeRequests, eq(noticeRequests.id, notices.interactionId))
    .innerJoin(profiles, eq(profiles.id, notices.profileId))
    .innerJoin(accounts, eq(accounts.id, profiles.accountId))
    .leftJoin(chats, eq(chats.id, noticeRequests.chatId))
    .where(eq(notices.interactionId, interactionId))
    .orderBy(asc(notices.createdAt), asc(notices.event), asc(notices.occasion));

type Row = Awaited<ReturnType<typeof selectNotices>>[number];

const factsOf = ({ notice, request, client, creator }: Row): NoticeFacts => ({
  // A subject is one line.
  title: request.title.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
  price: request.priceCentavos === 0 ? null : formatPesos(request.priceCentavos),
  isPaid: request.paidAt !== null,
  client,
  creator,
  details: notice.details,
});

/** The lines of notices, each once although two people are notified. */
function linesOf(rows: readonly Row[]): { body: string; clientKey: string }[] {
  const lines = new Map<string, string>();
  for (const row of rows) {
    const { event, occasion } = row.notice;
    const body = textOf(event)?.line?.(factsOf(row)) ?? null;
    if (body !== null) lines.set(`line-${event}${occasion && `-${occasion}`}`, body);
  }
  return [...lines].map(([clientKey, body]) => ({ clientKey, body }));
}

/** The lines of what happened before a chat opens, in the transaction that opens it: the chat begins with them. */
export async function storeFirstLines(
  transaction: Transaction,
  chatId: string,
  interactionId: string,
): Promise<void> {
  const lines = linesOf(await selectNotices(transaction, interactionId));
  await storeLines(
    transaction,
    lines.map((line) => ({ chatId, ...line })),
  );
}

function pageUrl(publicUrl: string, { notice, request }: Row, page: NoticeMail['page']): string {
  const manager = `${publicUrl}/manage-plans`;
  switch (page) {
    case 'manager':
      return manager;
    case 'dispute':
      return `${publicUrl}/dispute/${notice.interactionId}`;
    case 'history':
      return `${publicUrl}/profile/history/${notice.profileId}`;
    case 'payoutNumber':
      return `${publicUrl}/update-profile?tab=info`;
    case 'chat':
      return request.chatId === null || request.isChatHidden
        ? manager
        : `${manager}/conversation-receipt/${request.chatId}?interactionId=${notice.interactionId}`;
    default:
      return `${manager}?tab=${page}`;
  }
}

/** The link and the template of the email about a notice; null where the event has none for its recipient, or the account is deleted. */
function mailFor(row: Row, publicUrl: string) {
  const { notice, request, account } = row;
  const party = notice.profileId === request.clientId ? 'client' : 'creator';
  const mail = textOf(notice.event)?.[party]?.(factsOf(row)) ?? null;
  if (mail === null || account.deletedAt !== null) return null;
  const { subject, why, button, page } = mail;
  const otherwise = 'You get this email because of a request on Tara that you are part of.';
  return { link: pageUrl(publicUrl, row, page), template: { subject, why, button, otherwise } };
}

type NoticeContext = Pick<Platform, 'config' | 'database' | 'bus' | 'log' | 'sealer'>;

/**
 * Writes the lines and queues the emails of a request's notices that are not delivered yet. Run twice it changes nothing:
 * a line is stored once under its key, and an email is queued together with the note of it. Without a plan chat the lines
 * wait until one opens; the reference of a notice to its request waits for a transaction that is just opening one.
 */
async function deliverNotices(context: NoticeContext, interactionId: string): Promise<void> {
  const { config, database, sealer } = context;
  const rows = (await selectNotices(database, interactionId)).filter(
    ({ notice }) => notice.deliveredAt === null,
  );
  const chatId = rows[0]?.request.chatId ?? null;
  if (chatId !== null) for (const line of linesOf(rows)) await writeLine(context, { chatId, ...line });
  for (const row of rows) {
    const { event, occasion, profileId } = row.notice;
    await database.transaction(async (transaction) => {
      const delivered = await transaction
        .update(notices)
        .set({ deliveredAt: sql`now()` })
        .where(
          and(
            eq(notices.interactionId, interactionId),
            eq(notices.event, event),
            eq(notices.occasion, occasion),
            eq(notices.profileId, profileId),
            isNull(notices.deliveredAt),
          ),
        )
        .returning({ event: notices.event });
      const mail = delivered.length === 0 ? null : mailFor(row, config.publicUrl);
      if (mail !== null) await mailOwner(transaction, sealer, row.account, mail.link, mail.template);
    });
  }
}

/** Jobs of this feature. */
export const noticeTasks = (context: NoticeContext) => ({
  ...tasks.deliverNotices.handledBy(({ interactionId }) => deliverNotices(context, interactionId)),
});
