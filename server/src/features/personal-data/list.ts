import { eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { keyChecks } from '../../platform/keys/tables.ts';
import { nodes } from '../../platform/nodes/tables.ts';
import {
  accountEvents,
  accounts,
  challenges,
  identities,
  oauthStates,
  recoveryCodes,
  secondFactors,
  sessions,
  tokens,
} from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { devices } from '../devices/index.ts';
import { files, objectRemovals, uploads } from '../files/index.ts';
import { chatEntryProgress } from '../messages/index.ts';
import { notificationSettings } from '../notifications/index.ts';
import {
  capturedPayments,
  chargebacks,
  ledgerChecks,
  ledgerEntries,
  ledgerTransfers,
  manualTransfers,
  moneyAlarms,
  providerEvents,
  providerReads,
  providerWebhooks,
  unassignedDisputes,
} from '../payments/index.ts';
import { postLikes, postPopularity, postSearch, posts, saves } from '../posts/index.ts';
import { friends, profiles } from '../profiles/index.ts';
import { reports } from '../reports/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../reviews/index.ts';
import { verifications } from '../verification/index.ts';
import { blocks, mutes } from '../visibility/index.ts';
import { deleted, ownRows, type PersonalTable, whole } from './entry.ts';
import { messageTables } from './list-messages.ts';
import { requestTables } from './list-requests.ts';
import { dataExports } from './tables.ts';

const byOthers = 'It was made by others.';
const ownMember = 'It is of use to the server alone.';

/** Posts, likes, reviews and verifications. */
const postTables: readonly PersonalTable[] = [
  // Triggers count these, and the likes and comments of reviews.
  ownRows(postLikes, [postLikes.whoLiked]),
  ownRows(saves, [saves.userId]),
  ownRows(posts, [posts.creatorId], { exported: { without: ['number'] } }),
  ownRows(postSearch, [postSearch.creatorId], { exported: { none: 'Its words are those of the posts.' } }),
  ownRows(verifications, [verifications.userId]),
  ownRows(reviewLikes, [reviewLikes.whoLiked]),
  ownRows(reviewComments, [reviewComments.creatorId]),
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
  // The stars stay: the average of the other member counts them.
  ownRows(reviews, [reviews.creatorId], {
    members: ['creator_id', 'owner_id'],
    deletion: { kind: 'emptied', set: { caption: '', location: '', tags: sql`'{}'::text[]` } },
  }),
];

/**
 * What each table that refers to members means for an export and a deletion, in the order of a deletion. The test of
 * this list reads the database's catalog and names what is missing.
 */
export const personalTables: readonly PersonalTable[] = [
  ownRows(devices, [devices.accountId], { exported: { without: ['p256dh', 'auth'] } }),
  ownRows(sessions, [sessions.accountId], { exported: { without: ['secret_hash'] } }),
  ownRows(tokens, [tokens.accountId], { exported: { none: ownMember } }),
  ownRows(recoveryCodes, [recoveryCodes.accountId], { exported: { none: ownMember } }),
  ownRows(secondFactors, [secondFactors.accountId], { exported: { without: ['secret', 'last_step'] } }),
  ownRows(identities, [identities.accountId]),
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
  ownRows(accountEvents, [accountEvents.accountId]),
  ownRows(dataExports, [dataExports.accountId], { exported: { without: ['sealed_key'] } }),
  ownRows(blocks, [blocks.blockerId, blocks.blockedId], {
    exported: { none: 'It would reveal who blocked the member.' },
  }),
  ownRows(mutes, [mutes.muterId, mutes.mutedId], {
    exported: { none: 'It would reveal who muted the member.' },
  }),
  ownRows(reports, [reports.reporterId, reports.memberId], {
    members: ['reporter_id', 'member_id', 'decided_by'],
    exported: { none: 'It would reveal who reported the member.' },
  }),
  ownRows(friends, [friends.ownerId, friends.friendId], { exported: { without: [], omitsHidden: true } }),
  ownRows(notificationSettings, [notificationSettings.profileId], { exported: { without: ['held_chats'] } }),
  ...postTables,
  ...messageTables,
  ...requestTables,
  ownRows(auditLog, [auditLog.actorAccountId], {
    exported: { none: 'It is about others.' },
    deletion: { kind: 'kept', why: 'Append-only, and it holds ids alone.' },
  }),
  ownRows(uploads, [uploads.ownerAccountId], {
    exported: { without: ['path'] },
    deletion: { kind: 'unfinished' },
  }),
  ownRows(files, [files.ownerAccountId], {
    members: ['owner_account_id', 'readers'],
    exported: { without: ['readers', 'path', 'checksums'] },
    deletion: { kind: 'files' },
  }),
  {
    table: profiles,
    members: ['account_id'],
    own: ({ profileId }) => eq(profiles.id, profileId),
    exported: { without: ['number', 'words', 'city_key', 'completeness'] },
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
  [moneyAlarms, 'Ids of what is wrong, and amounts.'],
  [ledgerEntries, 'Its accounts have ids as owners.'],
  [capturedPayments, 'Money of a request.'],
  [chargebacks, 'Money of a request.'],
  [unassignedDisputes, 'Disputes of card issuers whose payment is not known.'],
  [manualTransfers, 'Money of a request.'],
  [providerReads, 'How far the list of the payment provider was read.'],
  [providerEvents, 'Deliveries of the payment provider about its links.'],
  [providerWebhooks, byOthers],
  [keyChecks, 'HMACs of a constant.'],
  [postponedItems, 'Ids of records whose job failed.'],
  [nodes, 'What serves the database.'],
  [objectRemovals, 'Names of objects that are about to be removed.'],
]);
