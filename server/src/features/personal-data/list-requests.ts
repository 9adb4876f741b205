import { deletedName } from '@tara/contract/limits';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { disputeMessages, disputePhotos, disputes } from '../disputes/index.ts';
import { interactions, meetingProposals, requestDecisions } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { attempts, disbursements } from '../payments/index.ts';
import { planPhotos, plans } from '../plans/index.ts';
import { publicLinks } from '../public-links/index.ts';
import { sharedPlans } from '../shared-plans/index.ts';
import { deleted, type MemberIds, ownRows, type PersonalTable, whole } from './entry.ts';

/** Plans, requests and their money. */
export const requestTables: readonly PersonalTable[] = [
  ownRows(publicLinks, [publicLinks.profileId]),
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
  // Requests refer to it.
  ownRows(plans, [plans.creatorId], {
    exported: { without: ['number', 'words'] },
    deletion: {
      kind: 'emptied',
      set: { title: 'Deleted plan', description: '', time: '', place: '', terms: '', image_id: null },
    },
  }),
  ownRows(interactions, [interactions.clientId, interactions.creatorId], {
    members: ['client_id', 'creator_id', 'cancelled_by', 'confirmed_by'],
    exported: {
      without: ['confirmed_by', 'webhook_id', 'checkout_url', 'link_id', 'refund_window_days'],
      onlyFor: { refund_number: 'client_id', payout_waits_until: 'creator_id' },
    },
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
  }),
  ownRows(sharedPlans, [sharedPlans.profileId], { exported: { without: ['token_hash'] } }),
  ownRows(notifications, [notifications.profileId], {
    members: ['profile_id', 'actor_id'],
    exported: { without: ['mail_to'] },
  }),
  {
    table: notifications,
    members: [],
    own: ({ profileId }) => eq(notifications.actorId, profileId),
    exported: { none: 'They are what others were notified of.' },
    deletion: deleted,
  },
  {
    // Details can be the member's words to the other party, and where and when they met. Amounts stay, which the texts need.
    table: notifications,
    members: [],
    own: (member) => inArray(notifications.interactionId, ownRequests(member)),
    exported: { none: 'The entry before has what the member was notified of.' },
    deletion: { kind: 'emptied', set: { details: sql`details - array['note', 'place', 'day']` } },
  },
  {
    // Of one's own requests, also what the other proposed.
    table: meetingProposals,
    members: ['proposed_by'],
    own: (member) => inArray(meetingProposals.interactionId, ownRequests(member)),
    exported: whole,
    deletion: deleted,
  },
  ownRows(disputePhotos, [disputePhotos.profileId]),
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
    // As the stories beside which they stand.
    table: disputeMessages,
    members: ['profile_id'],
    own: (member) => inArray(disputeMessages.interactionId, ownRequests(member)),
    exported: whole,
    deletion: {
      kind: 'emptied',
      set: ({ profileId }) => ({
        body: sql`case ${disputeMessages.profileId} when ${profileId} then '' else body end`,
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
  ownRows(disbursements, [disbursements.recipientId], {
    // A creator's share is of the client's payment.
    exported: { without: ['payment_id'] },
    deletion: { kind: 'emptied', set: { number: null } },
  }),
  {
    table: attempts,
    members: ['sent_by'],
    own: ({ profileId }) =>
      inArray(
        attempts.disbursementId,
        sql`(select ${disbursements.id} from ${disbursements} where ${eq(disbursements.recipientId, profileId)})`,
      ),
    exported: { without: ['source', 'key', 'sent_by'] },
    deletion: {
      kind: 'emptied',
      set: {
        destination: sql`case when destination is not null
          then jsonb_build_object('number', '', 'name', ${deletedName}::text, 'bic', destination -> 'bic') end`,
      },
    },
  },
];

/** The ids of the member's requests, on both sides or on one. */
function ownRequests({ profileId }: MemberIds, side?: 'client'): SQL {
  const isClient = eq(interactions.clientId, profileId);
  const condition = side === 'client' ? isClient : or(isClient, eq(interactions.creatorId, profileId));
  return sql`(select ${interactions.id} from ${interactions} where ${condition})`;
}
