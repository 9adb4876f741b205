/** What changes a chat, or what is seen of it. */
export const writers = ['send', 'unsend', 'mark', 'mark all', 'block', 'unblock', 'answer', 'hide'] as const;
export type Writer = (typeof writers)[number];

/** How two that change one chat at once are counted. */
export const pairOf = (one: Writer, other: Writer) => [one, other].sort().join(' and ');

/** The pairs of changes to one chat that have to be met: any two different ones, and two messages. */
export const pairNames = [
  pairOf('send', 'send'),
  ...writers.flatMap((one, index) => writers.slice(index + 1).map((other) => pairOf(one, other))),
];
