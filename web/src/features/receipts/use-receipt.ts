import { useQuery } from '@tanstack/react-query';
import { Interaction } from '@tara/contract/interactions';
import { channel } from '@tara/contract/realtime';
import { ReceiptMessage } from '@tara/contract/receipts';
import { useRealtime } from '../../lib/realtime.ts';
import { announce } from '../../ui/LiveRegion.tsx';
import { useStore } from '../../ui/store.ts';
import { useSession } from '../accounts/index.ts';
import { keepRequest } from '../interactions/index.ts';
import { outbox } from './outbox.ts';
import { catchUp, keepReceiptRequest, receiptQuery, takeIn } from './receipt-query.ts';

/** One per-plan chat, live: its request, its stored messages, and one's own that are still on their way. */
export function useReceipt(id: string) {
  const { account, profile } = useSession();
  const query = useQuery(receiptQuery(id));
  const stored = query.data?.messages.items ?? [];
  const interactionId = query.data?.interaction.id;

  const speak = (messages: readonly ReceiptMessage[]) => {
    const others = messages.filter(({ userId }) => userId !== profile.id);
    for (const { name, body } of others) announce(`${name}: ${body || 'a picture'}`);
  };
  const loaded = query.data !== undefined;
  useRealtime(
    loaded ? [channel.document('conversationReceipts', id)] : [],
    ({ payload }) => {
      const told = ReceiptMessage.safeParse(payload);
      // A failed look behind a hole is made up for by the next message or the next catch-up.
      if (told.success) takeIn(id, told.data).then(speak, () => undefined);
    },
    () => void catchUp(id).then(speak, () => undefined),
  );
  useRealtime(interactionId ? [channel.document('planInteractions', interactionId)] : [], ({ payload }) => {
    const told = Interaction.safeParse(payload);
    if (!told.success) return;
    keepReceiptRequest(id, told.data);
    keepRequest(told.data, account.id);
  });

  const arrived = new Set(stored.map(({ clientKey }) => clientKey));
  const outgoing = useStore(outbox).filter(
    ({ conversation, clientKey }) => conversation === id && !arrived.has(clientKey),
  );
  return { query, stored, outgoing };
}
