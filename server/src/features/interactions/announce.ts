import { noOwners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceFriends } from '../profiles/index.ts';
import { type InteractionRow, presentInteraction } from './present.ts';
import { findInteraction } from './select.ts';

type AnnounceContext = Pick<Platform, 'database' | 'bus'>;

/**
 * Tells both parties of a change, each as they may see the request (only the client gets the checkout's address).
 * Call it after the commit; gives the request as it is now.
 */
export async function announceInteraction(
  { database, bus }: AnnounceContext,
  id: string,
  change: 'create' | 'update' = 'update',
): Promise<InteractionRow | null> {
  const row = await findInteraction(database, id);
  if (!row) return null;
  for (const accountId of new Set([row.client.accountId, row.creator.accountId])) {
    bus.publish('document', {
      collection: 'planInteractions',
      id,
      change,
      document: { ...presentInteraction(row, accountId) },
      audience: [accountId],
      owners: noOwners,
    });
  }
  return row;
}

/** Tells both parties that the acceptance made them friends. */
export const announceFriendship = (bus: Platform['bus'], { client, creator }: InteractionRow): void =>
  announceFriends(
    bus,
    [client, creator].map(({ id, accountId }) => ({ profileId: id, accountId })),
  );
