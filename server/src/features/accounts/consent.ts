import { termsVersion } from '@tara/contract/limits';
import { and, eq, not, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordEvent, type Visit } from './events.ts';
import { lockOwnAccount } from './own-account.ts';
import { accounts } from './tables.ts';

/** What an account stores of a consent that is given now. */
export const consentColumns = () => ({ termsVersion, consentedAt: new Date() });

/** Whether an account agreed to the present terms. */
export const hasConsented = () => sql<boolean>`${accounts.termsVersion} is not distinct from ${termsVersion}`;

/** Stores that the member agrees to the present terms and is at least 18, with the time. Once: the first time stays. */
export async function giveConsent(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  visit: Visit,
): Promise<void> {
  const { accountId } = viewer;
  await database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    const changed = await transaction
      .update(accounts)
      .set(consentColumns())
      .where(and(eq(accounts.id, accountId), not(hasConsented())))
      .returning({ id: accounts.id });
    if (changed.length > 0) await recordEvent(transaction, accountId, 'user.consent', visit);
  });
  bus.publish('viewerChanged', { accountId });
}
