import { StartRefused } from '../start-refused.ts';

/** Another node serves this database, and this one may not serve beside it. */
export class SecondNode extends StartRefused {
  override readonly name = 'SecondNode';
}

/** What nodes on one database must share, each named by what it can be compared by; null is the node's own. */
export interface NodeParts {
  /** The Redis by which nodes hear each other. */
  readonly bus: string | null;
  /** Where the files are. */
  readonly store: string | null;
}

/** Of a node that shares nothing, as a command that needs the database for itself. */
export const ownParts: NodeParts = { bus: null, store: null };

/** Whether a node has nothing of its own, so that others may serve beside it. */
export const isShared = ({ bus, store }: NodeParts): boolean => bus !== null && store !== null;

const anotherNode = 'Another node is already running on this database.';
const settings = { bus: 'REDIS_URL', store: 'S3_ENDPOINT and S3_BUCKET' } as const;

/**
 * Why a node may not serve beside the others, for the person who starts it; null when it may.
 * @param others the living ones
 */
export function admissionRefusal(node: NodeParts, others: readonly NodeParts[]): string | null {
  for (const part of ['bus', 'store'] as const) {
    const name = settings[part];
    const same = `Nodes on one database need the same ${name}`;
    if (others.length > 0 && node[part] === null)
      return `${anotherNode} ${same}, and this one has none. Set it, stop that one, or use another database.`;
    if (others.some((other) => other[part] === null))
      return `${anotherNode} ${same}, and that one has none. Set it there, stop that one, or use another database.`;
    if (others.some((other) => other[part] !== node[part]))
      return `${anotherNode} ${same}, and those of the two differ.`;
  }
  return null;
}

/** The same of a database that is held by a node of which nothing is known. */
export const unknownNodeRefusal = `${anotherNode} Stop that one, or use another database.`;
