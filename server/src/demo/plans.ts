import { centavos } from '@tara/contract/plans';
import { eq, sql } from 'drizzle-orm';
import { plans } from '../features/plans/index.ts';
import { profiles } from '../features/profiles/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import { newId } from '../platform/ids.ts';
import type { People } from './members.ts';
import { plans as offered } from './offers.ts';
import { type Stored, usePicture } from './pictures-in-store.ts';
import { ago } from './time.ts';

/** Adds the plans; gives their ids by key. */
export async function addPlans(
  transaction: Transaction,
  people: People,
  stored: Stored,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const [at, plan] of offered.entries()) {
    const { accountId, profileId } = people(plan.by);
    const published = ago({ days: 20 - at, hours: at });
    const imageId = await usePicture(transaction, stored, {
      name: `plan-${plan.key}`,
      ownerAccountId: accountId,
      alt: plan.title,
      at: published,
    });
    const id = newId();
    await transaction.insert(plans).values({
      id,
      creatorId: profileId,
      title: plan.title,
      description: plan.desc,
      time: plan.time,
      priceCentavos: centavos(plan.pesos),
      imageId,
      terms: plan.terms,
      createdAt: published,
      updatedAt: published,
    });
    const onePlanMore = { totalPlan: sql`${profiles.totalPlan} + 1` };
    await transaction.update(profiles).set(onePlanMore).where(eq(profiles.id, profileId));
    ids.set(plan.key, id);
  }
  return ids;
}
