import { deletedName } from '@tara/contract/limits';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { accountEvents, accounts, sessions, tokens } from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { chatSettings, conversations, memberPresence } from '../conversations/index.ts';
import { disputePhotos, disputes, requestDecisions } from '../disputes/index.ts';
import { files } from '../files/index.ts';
import { interactions, meetingProposals } from '../interactions/index.ts';
import {
  chatEntries,
  chatEntryProgress,
  chatMarks,
  chats,
  messages,
  unsentMessages,
} from '../messages/index.ts';
import { notices } from '../notices/index.ts';
import {
  capturedPayments,
  chargebacks,
  ledgerChecks,
  ledgerEntries,
  ledgerTransfers,
  payoutAttempts,
  payouts,
  providerEvents,
  providerWebhooks,
  refunds,
  unreadDeliveries,
} from '../payments/index.ts';
import { planPhotos, plans } from '../plans/index.ts';
import { postLikes, postPopularity, postSearch, posts, saves } from '../posts/index.ts';
import { friends, profiles } from '../profiles/index.ts';
import { receipts } from '../receipts/index.ts';
import { reports } from '../reports/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../reviews/index.ts';
import { sharedPlans } from '../shared-plans/index.ts';
import { verifications } from '../verification/index.ts';
import { blocks, mutes } from '../visibility/index.ts';
import { dataExports } from './tables.ts';

/** The two ids by which records refer to a member. */
export interface MemberIds {
  accountId: string;
  profileId: string;
}

type Values = Readonly<Record<string, unknown>>;

/** What becomes of a member's rows when the account is deleted. */
export type Deletion =
  | { kind: 'deleted' }
  /** Kept without what is the member's own: these columns get these values. */
  | { kind: 'emptied'; set: Values | ((member: MemberIds) => Values) }
  /** Kept as they are: they hold ids alone. */
  | { kind: 'kept'; why: string }
  /** Removed in a way of their own (`delete.ts`). */
  | { kind: 'likes' | 'files' | 'identity' };

/** One table that refers to members. */
export interface PersonalTable {
  table: PgTable;
  /** Its columns with a member's id. */
  members: readonly string[];
  /** The rows of a member. */
  own: (member: MemberIds) => SQL | undefined;
  /** Columns that the export leaves out, or why it has none of the rows. */
  exported: { without: readonly string[] } | { none: string };
  deletion: Deletion;
}

const whole = { without: [] } as const;
const deleted = { kind: 'deleted' } as const;
const byOthers = 'It was made by others.';
const ownMember = 'It is of use to the server alone.';

/**
 * What each table that refers to members means for an export and a deletion, in the order of a deletion. The test of
 * this list reads the database's catalog and names what is missing.
 */
export const personalTables: readonly PersonalTable[] = [
  {
    table: sessions,
    members: ['account_id'],
    own: ({ accountId }) => eq(sessions.accountId, accountId),
    exported: { without: ['secret_hash'] },
    deletion: deleted,
  },
  {
    table: tokens,
    members: ['account_id'],
    own: ({ accountId }) => eq(tokens.accountId, accountId),
    exported: { none: ownMember },
    deletion: deleted,
  },
  {
    table: accountEvents,
    members: ['account_id'],
    own: ({ accountId }) => eq(accountEvents.accountId, accountId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: dataExports,
    members: ['account_id'],
    own: ({ accountId }) => eq(dataExports.accountId, accountId),
    exported: { without: ['sealed_key'] },
    deletion: deleted,
  },
  {
    table: blocks,
    members: ['blocker_id', 'blocked_id'],
    own: ({ profileId }) => or(eq(blocks.blockerId, profileId), eq(blocks.blockedId, profileId)),
    exported: { none: 'It would tell who blocked the member.' },
    deletion: deleted,
  },
  {
    table: mutes,
    members: ['muter_id', 'muted_id'],
    own: ({ profileId }) => or(eq(mutes.muterId, profileId), eq(mutes.mutedId, profileId)),
    exported: { none: 'It would tell who muted the member.' },
    deletion: deleted,
  },
  {
    table: reports,
    members: ['reporter_id', 'member_id', 'decided_by'],
    own: ({ profileId }) => or(eq(reports.reporterId, profileId), eq(reports.memberId, profileId)),
    exported: { none: 'It would tell who reported the member.' },
    deletion: deleted,
  },
  {
    table: friends,
    members: ['owner_id', 'friend_id'],
    own: ({ profileId }) => or(eq(friends.ownerId, profileId), eq(friends.friendId, profileId)),
    exported: whole,
    deletion: deleted,
  },
  {
    table: postLikes,
    members: ['who_liked'],
    own: ({ profileId }) => eq(postLikes.whoLiked, profileId),
    exported: whole,
    deletion: { kind: 'likes' },
  },
  {
    table: saves,
    members: ['user_id'],
    own: ({ profileId }) => eq(saves.userId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: posts,
    members: ['creator_id'],
    own: ({ profileId }) => eq(posts.creatorId, profileId),
    exported: { without: ['number'] },
    deletion: deleted,
  },
  {
    table: postSearch,
    members: ['creator_id'],
    own: ({ profileId }) => eq(postSearch.creatorId, profileId),
    exported: { none: 'Its words are those of the posts.' },
    deletion: deleted,
  },
  {
    table: verifications,
    members: ['user_id'],
    own: ({ profileId }) => eq(verifications.userId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // Triggers count them.
    table: reviewLikes,
    members: ['who_liked'],
    own: ({ profileId }) => eq(reviewLikes.whoLiked, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: reviewComments,
    members: ['creator_id'],
    own: ({ profileId }) => eq(reviewComments.creatorId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: reviewPhotos,
    members: [],
    own: ({ profileId }) =>
      inArray(
        reviewPhotos.reviewId,
        sql`(select ${reviews.id} from ${reviews} where ${eq(reviews.creatorId, profileId)})`,
      ),
    exported: whole,
    deletion: deleted,
  },
  {
    // The stars stay: the average of the other member counts them.
    table: reviews,
    members: ['creator_id', 'owner_id'],
    own: ({ profileId }) => eq(reviews.creatorId, profileId),
    exported: whole,
    deletion: { kind: 'emptied', set: { caption: '', location: '', tags: sql`'{}'::text[]` } },
  },
  {
    // Originals of what was taken back, with the chat and sequence of the member's own messages.
    table: unsentMessages,
    members: [],
    own: ({ profileId }) =>
      sql`(${unsentMessages.chatId}, ${unsentMessages.sequence}) in (
        select ${messages.chatId}, ${messages.sequence} from ${messages} where ${eq(messages.userId, profileId)})`,
    exported: { none: 'The member took them back.' },
    deletion: deleted,
  },
  {
    table: messages,
    members: ['user_id'],
    own: ({ profileId }) => eq(messages.userId, profileId),
    exported: { without: ['first_count', 'second_count'] },
    deletion: {
      kind: 'emptied',
      set: { name: deletedName, body: 'Deleted message', image_id: null, picture: null },
    },
  },
  {
    table: chatMarks,
    members: ['member_id'],
    own: ({ profileId }) => eq(chatMarks.memberId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // The begin of the member's messages in the lists of others.
    table: chatEntries,
    members: ['preview_by', 'other_id'],
    own: ({ profileId }) => and(eq(chatEntries.otherId, profileId), eq(chatEntries.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  {
    table: chatEntries,
    members: ['member_id', 'awaits_id'],
    own: ({ profileId }) => eq(chatEntries.memberId, profileId),
    exported: { none: 'It is made of the messages, which are exported.' },
    deletion: deleted,
  },
  {
    table: chats,
    members: ['preview_by'],
    own: ({ profileId }) =>
      and(or(eq(chats.firstId, profileId), eq(chats.secondId, profileId)), eq(chats.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  {
    table: chats,
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id', 'awaits_id'],
    own: ({ profileId }) => or(eq(chats.firstId, profileId), eq(chats.secondId, profileId)),
    // It would tell who blocked the member.
    exported: { without: ['blocked', 'preview', 'preview_by'] },
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  },
  {
    table: conversations,
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id'],
    own: ({ profileId }) => or(eq(conversations.firstId, profileId), eq(conversations.secondId, profileId)),
    exported: whole,
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  },
  {
    table: memberPresence,
    members: ['profile_id'],
    own: ({ profileId }) => eq(memberPresence.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: chatSettings,
    members: ['profile_id'],
    own: ({ profileId }) => eq(chatSettings.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: receipts,
    members: ['creator_id', 'client_id', 'creator_account_id', 'client_account_id'],
    own: (member) => ownReceipts(member),
    exported: whole,
    deletion: { kind: 'kept', why: 'The other party’s messages are in it.' },
  },
  {
    table: planPhotos,
    members: [],
    own: ({ profileId }) =>
      inArray(
        planPhotos.planId,
        sql`(select ${plans.id} from ${plans} where ${eq(plans.creatorId, profileId)})`,
      ),
    exported: whole,
    deletion: deleted,
  },
  {
    // Those that nobody ever requested.
    table: plans,
    members: ['creator_id'],
    own: ({ profileId }) =>
      and(
        eq(plans.creatorId, profileId),
        sql`not exists (select from ${interactions} where ${eq(interactions.planId, plans.id)})`,
      ),
    exported: { none: 'The next entry has them.' },
    deletion: deleted,
  },
  {
    // Requests refer to it.
    table: plans,
    members: ['creator_id'],
    own: ({ profileId }) => eq(plans.creatorId, profileId),
    exported: { without: ['number', 'words'] },
    deletion: {
      kind: 'emptied',
      set: { title: 'Deleted plan', description: '', time: '', place: '', terms: '', image_id: null },
    },
  },
  {
    table: interactions,
    members: ['client_id', 'creator_id', 'cancelled_by', 'confirmed_by'],
    own: ({ profileId }) => or(eq(interactions.clientId, profileId), eq(interactions.creatorId, profileId)),
    exported: { without: ['confirmed_by', 'webhook_id'] },
    // A record of money: without the member's name, with that of the other.
    deletion: {
      kind: 'emptied',
      set: ({ profileId }) => ({
        client_name: sql`case ${interactions.clientId} when ${profileId} then ${deletedName} else client_name end`,
        creator_name: sql`case ${interactions.creatorId} when ${profileId} then ${deletedName} else creator_name end`,
        place: '',
        cancel_note: '',
        refund_number: sql`case when ${interactions.clientId} <> ${profileId} then refund_number end`,
      }),
    },
  },
  {
    table: sharedPlans,
    members: ['profile_id'],
    own: ({ profileId }) => eq(sharedPlans.profileId, profileId),
    exported: { without: ['token_hash'] },
    deletion: deleted,
  },
  {
    table: notices,
    members: ['profile_id'],
    own: ({ profileId }) => eq(notices.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // Details can be the member's words to the other party.
    table: notices,
    members: [],
    own: (member) => inArray(notices.interactionId, ownRequests(member)),
    exported: { none: 'The entry before has what the member was told.' },
    deletion: { kind: 'emptied', set: { details: sql`'{}'::jsonb` } },
  },
  {
    // Of one's own requests, also what the other proposed.
    table: meetingProposals,
    members: ['proposed_by'],
    own: (member) => inArray(meetingProposals.interactionId, ownRequests(member)),
    exported: whole,
    deletion: deleted,
  },
  {
    table: disputePhotos,
    members: ['profile_id'],
    own: ({ profileId }) => eq(disputePhotos.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // Both parties read both sides of it.
    table: disputes,
    members: [],
    own: (member) => inArray(disputes.interactionId, ownRequests(member)),
    exported: whole,
    // What the other party said stays.
    deletion: {
      kind: 'emptied',
      set: (member) => ({
        story: sql`case when ${disputes.interactionId} in ${ownRequests(member, 'client')} then '' else story end`,
        answer: sql`case when answer is null or ${disputes.interactionId} in ${ownRequests(member, 'client')}
          then answer else '' end`,
      }),
    },
  },
  {
    table: requestDecisions,
    members: ['decided_by'],
    own: (member) => inArray(requestDecisions.interactionId, ownRequests(member)),
    exported: { without: ['decided_by'] },
    deletion: { kind: 'emptied', set: { note: '' } },
  },
  {
    table: payouts,
    members: ['recipient_id', 'sent_by'],
    own: ({ profileId }) => eq(payouts.recipientId, profileId),
    exported: { without: ['sent_by'] },
    deletion: { kind: 'emptied', set: { number: null } },
  },
  {
    table: payoutAttempts,
    members: [],
    own: ({ profileId }) =>
      inArray(
        payoutAttempts.payoutId,
        sql`(select ${payouts.id} from ${payouts} where ${eq(payouts.recipientId, profileId)})`,
      ),
    exported: { without: ['source', 'idempotency_key'] },
    deletion: {
      kind: 'emptied',
      set: {
        destination: sql`jsonb_build_object('number', '', 'name', ${deletedName}::text, 'bic', destination -> 'bic')`,
      },
    },
  },
  {
    table: auditLog,
    members: ['actor_account_id'],
    own: ({ accountId }) => eq(auditLog.actorAccountId, accountId),
    exported: { none: 'It is about others.' },
    deletion: { kind: 'kept', why: 'Append-only, and it holds ids alone.' },
  },
  {
    table: files,
    members: ['owner_account_id', 'readers'],
    own: ({ accountId }) => eq(files.ownerAccountId, accountId),
    exported: { without: ['readers'] },
    deletion: { kind: 'files' },
  },
  {
    table: profiles,
    members: ['account_id'],
    own: ({ profileId }) => eq(profiles.id, profileId),
    exported: { without: ['number', 'words'] },
    deletion: { kind: 'identity' },
  },
  {
    table: accounts,
    members: [],
    own: ({ accountId }) => eq(accounts.id, accountId),
    exported: { without: ['password_hash'] },
    deletion: { kind: 'identity' },
  },
];

function ownReceipts({ profileId }: MemberIds): SQL | undefined {
  return or(eq(receipts.creatorId, profileId), eq(receipts.clientId, profileId));
}

/** The ids of the member's requests, on both sides or on one. */
function ownRequests({ profileId }: MemberIds, side?: 'client'): SQL {
  const isClient = eq(interactions.clientId, profileId);
  const condition = side === 'client' ? isClient : or(isClient, eq(interactions.creatorId, profileId));
  return sql`(select ${interactions.id} from ${interactions} where ${condition})`;
}

/** Tables that hold nothing of a member, each with why. */
export const otherTables: ReadonlyMap<PgTable, string> = new Map<PgTable, string>([
  [postPopularity, 'A number of a post.'],
  [chatEntryProgress, 'A time.'],
  [ledgerTransfers, 'Money of a request.'],
  [ledgerChecks, 'Counts, and ids of what does not agree.'],
  [ledgerEntries, 'Its accounts are named by ids.'],
  [capturedPayments, 'Money of a request.'],
  [chargebacks, 'Money of a request.'],
  [refunds, 'Money of a request.'],
  [providerEvents, 'Deliveries of the payment provider about its links.'],
  [unreadDeliveries, 'Deliveries of the payment provider that could not be read.'],
  [providerWebhooks, byOthers],
]);
