/** Collections and channels of the realtime wire (§7): what the web listens to and the server announces. */
export type CollectionId =
  | 'users'
  | 'posts'
  | 'planInteractions'
  | 'conversationReceipts'
  | 'chatReceipts'
  | 'verifying'
  | 'reviews';

/**
 * Channels without the database they belong to. The server knows its own database (`DATABASE_ID`) and puts it before
 * them: `collections.posts.documents` is `databases.tara.collections.posts.documents` on the wire of the SDKs.
 */
export const channel = {
  collection: (collection: CollectionId) => `collections.${collection}.documents`,
  document: (collection: CollectionId, id: string) => `collections.${collection}.documents.${id}`,
} as const;
