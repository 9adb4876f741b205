import type { Message } from '@tara/contract/messages';

/** Merges two sets of stored messages, unique and oldest first. Sequences start at 1 without gaps. */
export function mergeMessages(stored: readonly Message[], received: readonly Message[]): Message[] {
  const bySequence = new Map([...stored, ...received].map((message) => [message.sequence, message]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/** The last sequence before a gap, or null if there is none: later messages must be fetched. `isComplete` means that
 * no older messages are left to fetch, so that the first sequence must be 1.
 */
export function lastBeforeGap(
  messages: readonly Pick<Message, 'sequence'>[],
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
