import { firstPages } from '@tara/contract/messages';
import { receipts } from '@tara/contract/receipts';
import { call, type Reply } from '../../lib/call.ts';
import { queryClient, queryOf } from '../../lib/queries.ts';
import { storeChat } from '../messages/index.ts';

type ReceiptData = Omit<Reply<typeof receipts.receipt>, 'chat' | 'messages'>;

/** A chat's receipt and request; its messages go to the cache that both kinds of chat share. */
export function receiptQuery(id: string) {
  const where = { params: { id }, query: firstPages('receipt') };
  return {
    queryKey: queryOf(receipts.receipt, where).queryKey as readonly unknown[],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReceiptData> => {
      const { chat, messages, ...data } = await call(receipts.receipt, { ...where, signal });
      storeChat({ chat, messages });
      return data;
    },
    // Realtime keeps the data fresh; a remount refetches it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  };
}

/** Updates the request of a chat in the cache. */
export function setReceiptInteraction(id: string, interaction: ReceiptData['interaction']): void {
  queryClient.setQueryData<ReceiptData>(
    receiptQuery(id).queryKey,
    (before) => before && { ...before, interaction },
  );
}
