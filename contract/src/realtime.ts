/** Collections and channels of the realtime wire (§7): what the web listens to and the server announces. */
export const databaseId = 'tara';
export const projectId = 'tara';

export type CollectionId =
  | 'users'
  | 'posts'
  | 'planInteractions'
  | 'conversationReceipts'
  | 'chatReceipts'
  | 'verifying'
  | 'reviews';

export const channel = {
  collection: (collection: CollectionId) => `databases.${databaseId}.collections.${collection}.documents`,
  document: (collection: CollectionId, id: string) =>
    `databases.${databaseId}.collections.${collection}.documents.${id}`,
  account: 'account',
} as const;
