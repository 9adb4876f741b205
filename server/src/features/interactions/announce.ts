import type { Platform } from '../../platform/platform.ts';
import { presentInteraction } from './present.ts';
import { findInteraction } from './select.ts';

type Needs = Pick<Platform, 'database' | 'bus'>;

/**
 * Tells both parties of a change, each as they may see the request (only the client gets the checkout's address).
 * Call it after the commit.
 */
export async function announceInteraction(
  { database, bus }: Needs,
  id: string,
  change: 'create' | 'update' = 'update',
): Promise<void> {
  const row = await findInteraction(database, id);
  if (!row) return;
  for (const accountId of new Set([row.client.accountId, row.creator.accountId])) {
    bus.publish('document', {
      collection: 'planInteractions',
      id,
      change,
      document: { ...presentInteraction(row, accountId) },
      audience: [accountId],
    });
  }
}
