import type { CollectionId } from '@tara/contract/realtime';

/** A change of a record, announced on the bus after its commit; the realtime wire turns it into an event. */
export interface DocumentChange {
  collection: CollectionId;
  id: string;
  change: 'create' | 'update' | 'delete';
  /** As presented to those in `audience`. */
  document: Record<string, unknown>;
  /** Accounts that may read the record now; the change reaches nobody else. */
  audience: readonly string[] | 'members' | 'admins';
  /** Further channels whose listeners care, such as the conversation a message belongs to. */
  alsoOn?: readonly string[];
}

/** Topics of the in-process bus. */
export interface Topics {
  document: DocumentChange;
  /** A session ended or what is cached of its viewer changed. */
  viewerChanged: { accountId: string };
}
