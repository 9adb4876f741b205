/** What a node knows of the others on the same database. */
export interface Nodes {
  /** Whether there can be others. */
  readonly areMany: boolean;
  /** Whether what the others announce reaches this node now. While it does not, what depends on it is read again every few seconds. */
  hearsAll(): boolean;
}

/** The only node on its database. */
export const singleNode: Nodes = { areMany: false, hearsAll: () => true };
