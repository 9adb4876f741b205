/** One outcome per item, in the items' order; throwing means that nothing of the group was stored. */
type Commit<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>;

interface QueuedItem<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  /** Most items in one group. */
  readonly batchSize: number;
  /** Whether an error means the whole group, such as a lost database; else each item is tried alone. */
  readonly isCommon: (error: unknown) => boolean;
}

/**
 * Shares one commit, and so one fsync, among what arrives while the commit before runs. An item alone waits for nothing.
 * The error of one item stays its own: a group that fails is tried again item by item.
 *
 * Measured with 100 writers of chat messages on a noisy machine (2026-11-21): 47 µs of CPU in Node and 96 µs in Postgres a
 * message, against 140 µs and 785 µs with a commit each (decision 0017).
 */
export function groupCommit<Item, Outcome>(
  commit: Commit<Item, Outcome>,
  { batchSize, isCommon }: GroupCommitOptions,
): (item: Item) => Promise<Outcome> {
  const queue: QueuedItem<Item, Outcome>[] = [];
  let running = false;

  async function settle(group: QueuedItem<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error('A commit left an item without an outcome.'));
        else resolve(outcome);
      }
    } catch (error) {
      if (group.length === 1 || isCommon(error)) {
        for (const { reject } of group) reject(error);
      } else {
        for (const one of group) await settle([one]);
      }
    }
  }

  async function drain(): Promise<void> {
    running = true;
    while (queue.length > 0) await settle(queue.splice(0, batchSize));
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!running) void drain();
    });
}
