import type { ReceiptMessage } from '@tara/contract/receipts';

/** Both sets of stored messages as one, each once, oldest first: a chat counts them from 1 without holes. */
export function mergeMessages(
  stored: readonly ReceiptMessage[],
  received: readonly ReceiptMessage[],
): ReceiptMessage[] {
  const bySequence = new Map([...stored, ...received].map((message) => [message.sequence, message]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/**
 * The last sequence before a hole, or null when there is none: what comes after it must be asked for. `whole` says that
 * nothing older is left to fetch, so that the first must be 1.
 */
export function lastBeforeGap(
  messages: readonly Pick<ReceiptMessage, 'sequence'>[],
  isComplete: boolean,
): number | null {
  const [first] = messages;
  if (first === undefined) return null;
  let last = isComplete ? 0 : first.sequence - 1;
  for (const { sequence } of messages) {
    if (sequence !== last + 1) return last;
    last = sequence;
  }
  return null;
}
