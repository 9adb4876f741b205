import { nowDate } from '@tara/contract/clock';
import { termsVersion } from '@tara/contract/limits';
import { and, eq, not, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceProfileChange, renameProfile } from '../profiles/index.ts';
import { recordEvent, type Visit } from './events.ts';
import { lockOwnAccount } from './own-account.ts';
import { refuseReserved } from './reserved-names.ts';
import { accounts } from './tables.ts';

/** What an account stores of a consent that is given now. */
export const consentColumns = () => ({ termsVersion, consentedAt: nowDate() });

/** Whether an account agreed to the present terms. */
export const hasConsented = () => sql<boolean>`${accounts.termsVersion} is not distinct from ${termsVersion}`;

/** Gives an account its first name, which is its profile's too (decisions §1). Follow it with `announceProfileChange`. */
async function addName(
  transaction: Transaction,
  { accountId, profileId }: Viewer,
  name: string | undefined,
  visit: Visit,
): Promise<void> {
  if (name === undefined)
    throw new Problem('general_argument_invalid', { fields: { name: 'Enter your name.' } });
  refuseReserved({ name });
  await renameProfile(transaction, profileId, { name });
  await transaction.update(accounts).set({ name, updatedAt: sql`now()` }).where(eq(accounts.id, accountId));
  await recordEvent(transaction, accountId, 'user.update.name', visit);
}

/**
 * Stores that the member agrees to the present terms and is at least 18, with the time. Once: the first time stays. An
 * account without a name gets it here.
 * @throws Problem `general_argument_invalid` for a missing or reserved name
 */
export async function giveConsent(
  context: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  { name }: { name?: string | undefined },
  visit: Visit,
): Promise<void> {
  const { accountId } = viewer;
  const isNamed = await context.database.transaction(async (transaction) => {
    const account = await lockOwnAccount(transaction, viewer);
    if (account.name === '') await addName(transaction, viewer, name, visit);
    const changed = await transaction
      .update(accounts)
      .set(consentColumns())
      .where(and(eq(accounts.id, accountId), not(hasConsented())))
      .returning({ id: accounts.id });
    if (changed.length > 0) await recordEvent(transaction, accountId, 'user.consent', visit);
    return account.name === '';
  });
  context.bus.publish('viewerChanged', { accountId });
  if (isNamed) await announceProfileChange(context, viewer.profileId);
}
