import { nowDate } from '@tara/contract/clock';
import { interactions } from '../../features/interactions/tables.ts';
import { plans } from '../../features/plans/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import type { Member } from './members.ts';
import { insertPicture } from './pictures.ts';

type Owner = Pick<Member, 'accountId' | 'profileId'>;

/** Inserts a plan with a cover, for tests of what builds on plans. Returns its id; the price is in centavos. */
export async function insertPlan(
  database: Database,
  creator: Owner,
  plan: Partial<typeof plans.$inferInsert> = {},
): Promise<string> {
  const id = newId();
  const imageId = await insertPicture(database, { ownerAccountId: creator.accountId, usedAt: nowDate() });
  const words = { title: 'Coffee in Makati', terms: 'We meet in a public place.' };
  await database
    .insert(plans)
    .values({ id, creatorId: creator.profileId, imageId, ...words, priceCentavos: 250_00, ...plan });
  return id;
}

/** Inserts a request in any state, past every rule but the table's own. */
export async function insertInteraction(
  database: Database,
  parties: { creator: Owner; client: Pick<Member, 'profileId'>; planId: string },
  state: Partial<typeof interactions.$inferInsert> = {},
): Promise<string> {
  const id = newId();
  await database.insert(interactions).values({
    id,
    planId: parties.planId,
    planTitle: 'Coffee in Makati',
    creatorId: parties.creator.profileId,
    clientId: parties.client.profileId,
    priceCentavos: 250_00,
    cancelReason: state.cancelledAt ? 'withdrawn' : null,
    ...state,
  });
  return id;
}
