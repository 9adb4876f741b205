import { nowMs } from '@tara/contract/clock';
import { sharedPlanHours } from '@tara/contract/limits';
import type { SharedPlan } from '@tara/contract/plans/shared-plans';
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { hashSecret, newSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { accounts } from '../accounts/index.ts';
import { interactions, isOpen, isParty } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { sharedPlans } from './tables.ts';

/** Until when a request may be seen by its links: some hours after its day, or after midnight of a day without a time. */
const endsAt = sql<string>`(coalesce(${interactions.meetsUntil}, ${interactions.meetsAt},
  ${interactions.dayStartsAt} + interval '1 day') + make_interval(hours => ${sharedPlanHours}))`;
const isCurrent = sql`${endsAt} > now()`;

/** An agreed request whose day is not over: what can be shared. */
const isShareable = and(isNotNull(interactions.acceptedAt), isOpen(), isCurrent);

const time = (value: string) => new Date(value).toISOString();

/** The viewer's request with the end of its links. @throws Problem `interaction_not_found` */
async function findRequest(database: Pick<Database, 'select'>, viewer: Viewer, interactionId: string) {
  const [request] = await database
    .select({ endsAt, isShareable: sql<boolean>`${isShareable}`, createdAt: sharedPlans.createdAt })
    .from(interactions)
    .leftJoin(
      sharedPlans,
      and(eq(sharedPlans.interactionId, interactions.id), eq(sharedPlans.profileId, viewer.profileId)),
    )
    .where(and(eq(interactions.id, interactionId), isParty(viewer)));
  if (!request) throw new Problem('interaction_not_found');
  return request;
}

/** Whether the viewer shares a request, since when and until when. @throws Problem `interaction_not_found` */
export async function ownLink(
  database: Database,
  viewer: Viewer,
  interactionId: string,
): Promise<{ link: { createdAt: string; endsAt: string } | null }> {
  const request = await findRequest(database, viewer, interactionId);
  if (request.createdAt === null || new Date(request.endsAt).getTime() <= nowMs()) return { link: null };
  return { link: { createdAt: request.createdAt.toISOString(), endsAt: time(request.endsAt) } };
}

/**
 * Makes the link of a request, in place of an earlier one. Its secret is in the answer alone: stored is its hash.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` for one that is not agreed, or over.
 */
export async function sharePlan(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  viewer: Viewer,
  interactionId: string,
): Promise<{ url: string; createdAt: string; endsAt: string }> {
  const secret = newSecret();
  return database.transaction(async (transaction) => {
    const request = await findRequest(transaction, viewer, interactionId);
    if (!request.isShareable)
      throw new Problem('interaction_not_allowed', {
        text: 'You can share a plan from its acceptance until its day is over.',
      });
    const tokenHash = hashSecret(secret);
    const [stored] = await transaction
      .insert(sharedPlans)
      .values({ interactionId, profileId: viewer.profileId, tokenHash })
      .onConflictDoUpdate({
        target: [sharedPlans.interactionId, sharedPlans.profileId],
        set: { tokenHash, createdAt: sql`now()` },
      })
      .returning();
    if (!stored) throw new Error('The link was not stored.');
    return {
      // In the query, which no log keeps.
      url: `${config.publicUrl}/shared-plan?token=${secret}`,
      createdAt: stored.createdAt.toISOString(),
      endsAt: time(request.endsAt),
    };
  });
}

/** Ends the viewer's link of a request. */
export async function revokePlan(database: Database, viewer: Viewer, interactionId: string): Promise<void> {
  await database
    .delete(sharedPlans)
    .where(and(eq(sharedPlans.interactionId, interactionId), eq(sharedPlans.profileId, viewer.profileId)));
}

const sharer = alias(profiles, 'sharer');
const other = alias(profiles, 'other');

const endName = (profileId: typeof sharer.id | typeof other.id): SQL<string | null> =>
  sql`case ${profileId} when ${interactions.clientId} then ${interactions.clientName} else ${interactions.creatorName} end`;

/**
 * What somebody with a link sees. A block between the two changes nothing: the link is there for when it goes wrong. It ends with
 * the day, and when who made it is banned or leaves.
 * @throws Problem `shared_plan_not_found` for an unknown, revoked or ended link, alike.
 */
export async function openSharedPlan(database: Database, token: string): Promise<SharedPlan> {
  const [row] = await database
    .select({
      request: interactions,
      endsAt,
      sharer: sharer.name,
      other: sql<string>`coalesce(${endName(other.id)}, ${hiddenName(sharer.id, other.id)}, ${other.name})`,
      otherVerified: other.verified,
    })
    .from(sharedPlans)
    .innerJoin(interactions, eq(interactions.id, sharedPlans.interactionId))
    .innerJoin(sharer, eq(sharer.id, sharedPlans.profileId))
    .innerJoin(accounts, eq(accounts.id, sharer.accountId))
    .innerJoin(
      other,
      sql`${other.id} = case ${sharer.id} when ${interactions.clientId} then ${interactions.creatorId} else ${interactions.clientId} end`,
    )
    .where(
      and(
        eq(sharedPlans.tokenHash, hashSecret(token)),
        isCurrent,
        isNull(accounts.blockedAt),
        isNull(accounts.deletesAt),
        isNull(accounts.deletedAt),
      ),
    );
  if (!row) throw new Problem('shared_plan_not_found');
  const { request } = row;
  return {
    planTitle: request.planTitle,
    sharer: row.sharer,
    other: row.other,
    otherVerified: row.otherVerified === true,
    meetsAt: request.meetsAt?.toISOString() ?? null,
    meetsUntil: request.meetsUntil?.toISOString() ?? null,
    place: request.place,
    state:
      request.cancelledAt !== null ? 'cancelled' : request.userSetDoneAt !== null ? 'fulfilled' : 'agreed',
    endsAt: time(row.endsAt),
  };
}
