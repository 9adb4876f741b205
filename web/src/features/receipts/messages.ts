import type { ReceiptMessage } from '@tara/contract/receipts';

/** Both sets of stored messages as one, each once, oldest first: a chat counts them from 1 without holes. */
export function mergeMessages(
  known: readonly ReceiptMessage[],
  came: readonly ReceiptMessage[],
): ReceiptMessage[] {
  const bySequence = new Map([...known, ...came].map((message) => [message.sequence, message]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/** The last sequence before a hole, or null when there is none: what comes after it must be asked for. */
export function beforeHole(messages: readonly Pick<ReceiptMessage, 'sequence'>[]): number | null {
  const place = messages.findIndex(
    ({ sequence }, at) => at > 0 && sequence !== (messages[at - 1]?.sequence ?? sequence) + 1,
  );
  return place < 0 ? null : (messages[place - 1]?.sequence ?? null);
}
