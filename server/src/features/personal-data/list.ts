import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import {
  accountEvents,
  accounts,
  challenges,
  identities,
  oauthStates,
  sessions,
  tokens,
} from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { files, uploads } from '../files/index.ts';
import { chatEntryProgress } from '../messages/index.ts';
import {
  capturedPayments,
  chargebacks,
  ledgerChecks,
  ledgerEntries,
  ledgerTransfers,
  providerEvents,
  providerWebhooks,
  refunds,
  unreadDeliveries,
} from '../payments/index.ts';
import { postPopularity } from '../posts/index.ts';
import { friends, profiles } from '../profiles/index.ts';
import { reports } from '../reports/index.ts';
import { blocks, mutes } from '../visibility/index.ts';
import { deleted, type PersonalTable, whole } from './entry.ts';
import { messageTables } from './list-messages.ts';
import { postTables } from './list-posts.ts';
import { requestTables } from './list-requests.ts';
import { dataExports } from './tables.ts';

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
    table: identities,
    members: ['account_id'],
    own: ({ accountId }) => eq(identities.accountId, accountId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: challenges,
    members: ['account_id'],
    own: ({ accountId }) => {
      const own = (column: SQL) =>
        sql`(select ${column} from ${accounts} where ${accounts.id} = ${accountId})`;
      return or(
        eq(challenges.accountId, accountId),
        eq(challenges.email, own(sql`${accounts.email}`)),
        eq(challenges.phone, own(sql`${accounts.phone}`)),
      );
    },
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
  ...postTables,
  ...messageTables,
  ...requestTables,
  {
    table: auditLog,
    members: ['actor_account_id'],
    own: ({ accountId }) => eq(auditLog.actorAccountId, accountId),
    exported: { none: 'It is about others.' },
    deletion: { kind: 'kept', why: 'Append-only, and it holds ids alone.' },
  },
  {
    table: uploads,
    members: ['owner_account_id'],
    own: ({ accountId }) => eq(uploads.ownerAccountId, accountId),
    exported: whole,
    deletion: { kind: 'unfinished' },
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

/** Tables that hold nothing of a member, each with why. */
export const otherTables: ReadonlyMap<PgTable, string> = new Map<PgTable, string>([
  [oauthStates, 'Sign-ins on their way to a provider, of nobody yet.'],
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
