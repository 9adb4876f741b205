import type { PublicLink } from '@tara/contract/members/public-links';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { plans } from '../plans/index.ts';
import { publicLinks } from './tables.ts';

type Context = Pick<Platform, 'database' | 'config'>;
type LinkRow = typeof publicLinks.$inferSelect;

const presentLink = ({ config }: Context, { id, planId, createdAt }: LinkRow): PublicLink => ({
  url: `${config.publicUrl}/${planId === null ? 'invite' : 'plan'}/${id}`,
  createdAt: createdAt.toISOString(),
});

/** The member's link of a plan, or the invitation. */
const isOwn = ({ profileId }: Pick<Viewer, 'profileId'>, planId: string | undefined) =>
  and(
    eq(publicLinks.profileId, profileId),
    planId === undefined ? isNull(publicLinks.planId) : eq(publicLinks.planId, planId),
  );

/** The viewer's invitation, or the link of a plan of theirs. */
export async function ownLink(
  context: Context,
  viewer: Viewer,
  planId?: string,
): Promise<{ link: PublicLink | null }> {
  const [row] = await context.database.select().from(publicLinks).where(isOwn(viewer, planId));
  return { link: row ? presentLink(context, row) : null };
}

/**
 * Switches on the viewer's invitation, or the link of a plan of theirs; one that is on stays.
 * @throws Problem `plan_not_found`
 */
export async function createLink(
  context: Context,
  viewer: Viewer,
  planId?: string,
): Promise<{ link: PublicLink }> {
  const { database } = context;
  const { profileId } = viewer;
  if (planId !== undefined) {
    const [plan] = await database
      .select({ id: plans.id })
      .from(plans)
      .where(and(eq(plans.id, planId), eq(plans.creatorId, profileId), isNull(plans.removedAt)));
    if (!plan) throw new Problem('plan_not_found');
  }
  const [row] = await database
    .insert(publicLinks)
    .values({ id: newId(), profileId, planId: planId ?? null })
    .onConflictDoUpdate({
      target: [publicLinks.profileId, publicLinks.planId],
      // Changes nothing: only so is the row returned.
      set: { profileId: sql`excluded.profile_id` },
    })
    .returning();
  if (!row) throw new Error('The link was not stored.');
  return { link: presentLink(context, row) };
}

/** Ends the viewer's invitation, or the link of a plan of theirs. */
export async function revokeLink(database: Database, viewer: Viewer, planId?: string): Promise<void> {
  await database.delete(publicLinks).where(isOwn(viewer, planId));
}

/** Ends all links of a member. */
export async function removePublicLinks(transaction: Transaction, profileId: string): Promise<void> {
  await transaction.delete(publicLinks).where(eq(publicLinks.profileId, profileId));
}
