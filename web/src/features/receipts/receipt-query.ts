import { pageSize } from '@tara/contract/limits';
import { type Message, messages } from '@tara/contract/messages';
import { receipts } from '@tara/contract/receipts';
import { call, type Reply } from '../../lib/call.ts';
import { queryClient, queryOf } from '../../lib/queries.ts';
import { lastBeforeGap, mergeMessages } from './messages.ts';

type ReceiptData = Reply<typeof receipts.receipt>;
type Messages = ReceiptData['messages'];

/** A screen of messages at the first request. */
const FIRST_PAGES = 3;
/** The maximum of one call, for catching up after a long absence. */
const MAX_PAGES = 20;

/** A chat with its request and its messages, oldest first. A refetch returns the newest messages, which must not
 * replace the older cached ones.
 */
export function receiptQuery(id: string) {
  return {
    ...queryOf(receipts.receipt, { params: { id }, query: { pages: FIRST_PAGES } }),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReceiptData> => {
      const data = await call(receipts.receipt, { params: { id }, query: { pages: FIRST_PAGES }, signal });
      const cached = queryClient.getQueryData<ReceiptData>(receiptQuery(id).queryKey);
      return { ...data, messages: mergeNewest(cached?.messages, data.messages) };
    },
    // Realtime keeps the data fresh; a remount refetches it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  };
}

/** Appends the newest pages to the cached messages, unless there is a gap between them. */
function mergeNewest(cached: Messages | undefined, newest: Messages): Messages {
  const items = mergeMessages([], newest.items);
  const last = cached?.items.at(-1)?.sequence ?? 0;
  const isContiguous = cached !== undefined && items[0] !== undefined && items[0].sequence <= last + 1;
  return isContiguous
    ? { items: mergeMessages(cached.items, items), hasMore: cached.hasMore }
    : { items, hasMore: newest.hasMore };
}

function updateMessages(id: string, messages: (cached: Messages) => Messages): void {
  queryClient.setQueryData<ReceiptData>(
    receiptQuery(id).queryKey,
    (cached) => cached && { ...cached, messages: messages(cached.messages) },
  );
}

const cached = (id: string) => queryClient.getQueryData<ReceiptData>(receiptQuery(id).queryKey)?.messages;

/** Adds stored messages to the cache. */
function addMessages(id: string, received: readonly Message[]): void {
  updateMessages(id, (before) => ({ ...before, items: mergeMessages(before.items, received) }));
}

/** Fetches all messages after a sequence. */
async function fetchAfter(id: string, sequence: number): Promise<Message[]> {
  const fetched: Message[] = [];
  let after = sequence;
  for (;;) {
    const { items, hasMore } = await call(messages.list, {
      params: { chatId: id },
      query: { after, pages: MAX_PAGES },
    });
    addMessages(id, items);
    fetched.push(...items);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return fetched;
    after = last.sequence;
  }
}

/** Fetches the page of messages before the oldest cached one. */
export async function fetchOlder(id: string): Promise<void> {
  const oldest = cached(id)?.items[0];
  if (oldest === undefined || oldest.sequence === 1) return;
  const { items, hasMore } = await call(messages.list, {
    params: { chatId: id },
    query: { before: oldest.sequence, pages: Math.ceil(30 / pageSize.receiptMessages) },
  });
  updateMessages(id, (before) => ({ items: mergeMessages(before.items, items), hasMore }));
}

/** The last cached sequence before a gap, or the newest if there is no gap; 0 without messages. */
function lastContiguousSequence(id: string): number {
  const cachedMessages = cached(id);
  if (cachedMessages === undefined) return 0;
  return (
    lastBeforeGap(cachedMessages.items, !cachedMessages.hasMore) ?? cachedMessages.items.at(-1)?.sequence ?? 0
  );
}

/** Fetches missed messages. Returns those that were not cached. */
export async function catchUp(id: string): Promise<Message[]> {
  const before = new Set(cached(id)?.items.map(({ sequence }) => sequence));
  const fetched = await fetchAfter(id, lastContiguousSequence(id));
  return fetched.filter(({ sequence }) => !before.has(sequence));
}

/** Adds a received message to the cache, and fetches missed ones before it. Returns those that were not cached. */
export async function receiveMessage(id: string, message: Message): Promise<Message[]> {
  const cachedMessages = cached(id);
  if (
    cachedMessages === undefined ||
    cachedMessages.items.some(({ sequence }) => sequence === message.sequence)
  )
    return [];
  addMessages(id, [message]);
  const missed = lastContiguousSequence(id) < message.sequence ? await catchUp(id) : [];
  return mergeMessages(missed, [message]);
}

/** Updates the request of a chat in the cache. */
export function setReceiptInteraction(id: string, interaction: ReceiptData['interaction']): void {
  queryClient.setQueryData<ReceiptData>(
    receiptQuery(id).queryKey,
    (before) => before && { ...before, interaction },
  );
}
