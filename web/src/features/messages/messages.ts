import type { Message } from '@tara/contract/messages';

/**
 * Merges two sets of stored messages, unique and oldest first. Sequences start at 1 without gaps. Of two versions the
 * received one stays, but a message that was taken back never comes back: a reply in flight may be older than that.
 */
export function mergeMessages(stored: readonly Message[], received: readonly Message[]): Message[] {
  const bySequence = new Map(stored.map((message) => [message.sequence, message]));
  for (const message of received) {
    if (!bySequence.get(message.sequence)?.unsent || message.unsent)
      bySequence.set(message.sequence, message);
  }
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
