import { Interaction } from '@tara/contract/interactions';
import { channel } from '@tara/contract/realtime';
import { useRealtime } from '../../lib/realtime.ts';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';

/** Updates the lists with the other party's changes: the server sends each of the viewer's requests on the collection's
 * channel. `refresh` fetches what was missed.
 */
export function useLiveRequests(refresh: () => Promise<unknown>): void {
  const { account } = useSession();
  useRealtime(
    [channel.collection('planInteractions')],
    ({ payload }) => {
      const changed = Interaction.safeParse(payload);
      if (changed.success) upsertInteraction(changed.data, account.id);
    },
    // The data on screen stays; the next catch-up refreshes it.
    () => void refresh().catch(() => undefined),
  );
}
