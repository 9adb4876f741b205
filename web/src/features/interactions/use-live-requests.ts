import { Interaction } from '@tara/contract/interactions';
import { channel } from '@tara/contract/realtime';
import { useRealtime } from '../../lib/realtime.ts';
import { useSession } from '../accounts/index.ts';
import { keepRequest } from './keep-request.ts';

/**
 * Keeps the lists as the other side changes them: the server tells each request of one's own on the collection's
 * channel. `onCatchUp` asks for what was missed.
 */
export function useLiveRequests(onCatchUp: () => void): void {
  const { account } = useSession();
  useRealtime(
    [channel.collection('planInteractions')],
    ({ payload }) => {
      const told = Interaction.safeParse(payload);
      if (told.success) keepRequest(told.data, account.id);
    },
    onCatchUp,
  );
}
