import { pageSize } from '@tara/contract/limits';
import type { BannedRequest, Report } from '@tara/contract/members/reports';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { files, pictureColumns } from '../files/index.ts';
import { interactions, isOpen } from '../interactions/index.ts';
import { chats, messages, unsentMessages } from '../messages/index.ts';
import { personColumns, presentPerson, profiles } from '../profiles/index.ts';
import { reports } from './tables.ts';

const reporter = alias(profiles, 'reporter');
const reporterPicture = alias(files, 'reporter_picture');
const member = alias(profiles, 'member');
const memberPicture = alias(files, 'member_picture');

/** Decisions against the same member that were no dismissals. */
const earlierDecisions = sql<number>`(select count(*) from ${reports} as earlier
  where earlier.member_id = ${reports.memberId} and earlier.decision <> 'dismiss')`;

/**
 * What is stored of the chats of a page of reports: which of them are plan chats, and of which reported messages the original is
 * there, as it was taken back in a plan chat or had a picture. By other statements: chats may be on other shards (decision 0047).
 */
async function readReportedChats(database: Database, rows: readonly (typeof reports.$inferSelect)[]) {
  const chatIds = [...new Set(rows.flatMap(({ chatId }) => chatId ?? []))];
  if (chatIds.length === 0) return { planChats: new Set<string>(), originals: new Set<string>() };
  const [planChats, originals] = await Promise.all([
    database
      .select({ id: chats.id })
      .from(chats)
      .where(and(inArray(chats.id, chatIds), eq(chats.kind, 'receipt'))),
    database
      .select({ id: messages.id })
      .from(unsentMessages)
      .innerJoin(
        messages,
        and(eq(messages.chatId, unsentMessages.chatId), eq(messages.sequence, unsentMessages.sequence)),
      )
      .where(
        and(
          inArray(unsentMessages.chatId, chatIds),
          inArray(
            messages.id,
            rows.map(({ recordId }) => recordId),
          ),
        ),
      ),
  ]);
  return {
    planChats: new Set(planChats.map(({ id }) => id)),
    originals: new Set(originals.map(({ id }) => id)),
  };
}

/** Reports that wait for an admin, oldest first, 20 a page. */
export async function openReports(database: Database, cursor: string | undefined): Promise<PageOf<Report>> {
  const page = await readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: reports.createdAt, id: reports.id, order: 'asc' },
    query: database
      .select({
        report: getTableColumns(reports),
        earlierDecisions: earlierDecisions.as('earlier_decisions'),
        reporter: personColumns(reporter),
        reporterPicture: pictureColumns(reporterPicture),
        member: personColumns(member),
        memberPicture: pictureColumns(memberPicture),
      })
      .from(reports)
      .leftJoin(reporter, eq(reporter.id, reports.reporterId))
      .leftJoin(reporterPicture, eq(reporterPicture.id, reporter.imageId))
      .leftJoin(member, eq(member.id, reports.memberId))
      .leftJoin(memberPicture, eq(memberPicture.id, member.imageId)),
    where: isNull(reports.decidedAt),
    present: (row) => row,
    toCursor: ({ report }) => ({ at: report.createdAt, id: report.id }),
  });
  const { planChats, originals } = await readReportedChats(
    database,
    page.items.map(({ report }) => report),
  );
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.report.id,
      kind: row.report.kind,
      recordId: row.report.recordId,
      reason: row.report.reason,
      detail: row.report.detail,
      reporter: row.reporter && presentPerson(row.reporter, row.reporterPicture),
      member: row.member && presentPerson(row.member, row.memberPicture),
      snapshot: row.report.snapshot,
      hasOriginal: originals.has(row.report.recordId),
      hasPlanChat: planChats.has(row.report.chatId ?? ''),
      earlierDecisions: Number(row.earlierDecisions),
      createdAt: row.report.createdAt.toISOString(),
    })),
  };
}

const clientAccount = alias(accounts, 'client_account');
const creatorAccount = alias(accounts, 'creator_account');

/** Ids of the open paid requests of who is banned, for each side of a request; who is deleted has none. */
const bannedPartyRequests = (
  database: Database,
  side: typeof interactions.clientId | typeof interactions.creatorId,
) =>
  database
    .select({ id: interactions.id })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .innerJoin(interactions, eq(side, profiles.id))
    .where(
      and(
        isNotNull(accounts.blockedAt),
        isNull(accounts.deletedAt),
        isNotNull(interactions.paidAt),
        isOpen(),
      ),
    );

/** Open paid requests with a banned party, last changed first, 20 a page. */
export async function bannedRequests(
  database: Database,
  cursor: string | undefined,
): Promise<PageOf<BannedRequest>> {
  return readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: interactions.updatedAt, id: interactions.id },
    query: database
      .select({
        request: getTableColumns(interactions),
        client: reporter.name,
        creator: member.name,
        clientBanned: sql<boolean>`${clientAccount.blockedAt} is not null`,
        creatorBanned: sql<boolean>`${creatorAccount.blockedAt} is not null`,
      })
      .from(interactions)
      .innerJoin(reporter, eq(reporter.id, interactions.clientId))
      .innerJoin(member, eq(member.id, interactions.creatorId))
      .innerJoin(clientAccount, eq(clientAccount.id, reporter.accountId))
      .innerJoin(creatorAccount, eq(creatorAccount.id, member.accountId)),
    where: sql`${interactions.id} = any(array(
      ${unionAll(bannedPartyRequests(database, interactions.clientId), bannedPartyRequests(database, interactions.creatorId))}))`,
    present: ({ request, client, creator, clientBanned, creatorBanned }) => ({
      id: request.id,
      planTitle: request.planTitle,
      stage: request.stage,
      price: pesos(request.priceCentavos),
      client,
      creator,
      banned: clientBanned && creatorBanned ? 'both' : clientBanned ? 'client' : 'creator',
      updatedAt: request.updatedAt.toISOString(),
    }),
    toCursor: ({ request }) => ({ at: request.updatedAt, id: request.id }),
  });
}
