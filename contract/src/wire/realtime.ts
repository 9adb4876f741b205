import type { CollectionId } from './documents.ts';

export type { CollectionId };

/**
 * Channels of the realtime wire (§7), to which the web subscribes and the server publishes, without their database prefix.
 * The server adds the prefix of its own database (`DATABASE_ID`): `collections.posts.documents` is
 * `databases.tara.collections.posts.documents` on the wire of the SDKs.
 */
export const channel = {
  collection: (collection: CollectionId) => `collections.${collection}.documents`,
  document: (collection: CollectionId, id: string) => `collections.${collection}.documents.${id}`,
  /** That the member's own notifications changed; of our own web alone. */
  notifications: 'notifications',
} as const;
