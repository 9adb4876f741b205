import { pageSize } from '@tara/contract/limits';
import { type ReceiptMessage, receipts } from '@tara/contract/receipts';
import { call, type Reply } from '../../lib/call.ts';
import { queryClient, queryOf } from '../../lib/queries.ts';
import { beforeHole, mergeMessages } from './messages.ts';

type Opened = Reply<typeof receipts.receipt>;
type Messages = Opened['messages'];

/** A screen of messages at the first request. */
const FIRST_PAGES = 3;
/** As many as one call gives, for catching up after a long absence. */
const MOST_PAGES = 20;

/**
 * A chat with its request and its messages, oldest first. Asked again it gives the newest messages, which must not
 * throw away what was read before them.
 */
export function receiptQuery(id: string) {
  return {
    ...queryOf(receipts.receipt, { params: { id }, query: { pages: FIRST_PAGES } }),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Opened> => {
      const opened = await call(receipts.receipt, { params: { id }, query: { pages: FIRST_PAGES }, signal });
      const known = queryClient.getQueryData<Opened>(receiptQuery(id).queryKey);
      return { ...opened, messages: withNewest(known?.messages, opened.messages) };
    },
    // Realtime keeps it; coming back asks anyway.
    staleTime: 0,
    refetchOnWindowFocus: false,
  };
}

/** The newest pages joined to what was known, unless more came meanwhile than they hold. */
function withNewest(known: Messages | undefined, newest: Messages): Messages {
  const items = mergeMessages([], newest.items);
  const last = known?.items.at(-1)?.sequence ?? 0;
  const joins = known !== undefined && items[0] !== undefined && items[0].sequence <= last + 1;
  return joins
    ? { items: mergeMessages(known.items, items), hasMore: known.hasMore }
    : { items, hasMore: newest.hasMore };
}

function change(id: string, messages: (known: Messages) => Messages): void {
  queryClient.setQueryData<Opened>(
    receiptQuery(id).queryKey,
    (known) => known && { ...known, messages: messages(known.messages) },
  );
}

const known = (id: string) => queryClient.getQueryData<Opened>(receiptQuery(id).queryKey)?.messages;

/** Takes stored messages in, wherever they came from. */
function addMessages(id: string, came: readonly ReceiptMessage[]): void {
  change(id, (before) => ({ ...before, items: mergeMessages(before.items, came) }));
}

/** Fetches everything after a sequence, a call at a time. */
async function fetchAfter(id: string, sequence: number): Promise<ReceiptMessage[]> {
  const found: ReceiptMessage[] = [];
  let after = sequence;
  for (;;) {
    const { items, hasMore } = await call(receipts.messages, {
      params: { id },
      query: { after, pages: MOST_PAGES },
    });
    addMessages(id, items);
    found.push(...items);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return found;
    after = last.sequence;
  }
}

/** Fetches the page of messages before the oldest known. */
export async function fetchOlder(id: string): Promise<void> {
  const oldest = known(id)?.items[0];
  if (oldest === undefined || oldest.sequence === 1) return;
  const { items, hasMore } = await call(receipts.messages, {
    params: { id },
    query: { before: oldest.sequence, pages: Math.ceil(30 / pageSize.receiptMessages) },
  });
  change(id, (before) => ({ items: mergeMessages(before.items, items), hasMore }));
}

/** Where what is known here ends: before a hole, else at the newest; 0 before the first message. */
function knownUntil(id: string): number {
  const here = known(id);
  if (here === undefined) return 0;
  return beforeHole(here.items, !here.hasMore) ?? here.items.at(-1)?.sequence ?? 0;
}

/** Fetches what was missed. Answers the messages that are new here. */
export async function catchUp(id: string): Promise<ReceiptMessage[]> {
  const before = new Set(known(id)?.items.map(({ sequence }) => sequence));
  const found = await fetchAfter(id, knownUntil(id));
  return found.filter(({ sequence }) => !before.has(sequence));
}

/** Takes one stored message in, and with it those that were missed before it. Answers what is new here. */
export async function takeIn(id: string, message: ReceiptMessage): Promise<ReceiptMessage[]> {
  const here = known(id);
  if (here === undefined || here.items.some(({ sequence }) => sequence === message.sequence)) return [];
  addMessages(id, [message]);
  const missed = knownUntil(id) < message.sequence ? await catchUp(id) : [];
  return mergeMessages(missed, [message]);
}

/** Takes a changed request into its chat. */
export function keepReceiptRequest(id: string, interaction: Opened['interaction']): void {
  queryClient.setQueryData<Opened>(
    receiptQuery(id).queryKey,
    (before) => before && { ...before, interaction },
  );
}
