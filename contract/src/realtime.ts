/** Collections and channels of the realtime wire (§7), to which the web subscribes and the server publishes. */
export type CollectionId =
  | 'users'
  | 'posts'
  | 'planInteractions'
  | 'conversationReceipts'
  | 'chatReceipts'
  | 'conversations'
  | 'chats'
  | 'conversationOwners'
  | 'verifying'
  | 'reviews'
  | 'reviewComments';

/**
 * Channels without their database prefix. The server adds the prefix of its own database (`DATABASE_ID`):
 * `collections.posts.documents` is `databases.tara.collections.posts.documents` on the wire of the SDKs.
 */
export const channel = {
  collection: (collection: CollectionId) => `collections.${collection}.documents`,
  document: (collection: CollectionId, id: string) => `collections.${collection}.documents.${id}`,
} as const;
