import type { CollectionId } from '@tara/contract/documents';
import type { Collection } from '../collection.ts';
import { conversationOwners, conversationReceipts, conversations } from './conversations.ts';
import { chatReceipts, chats } from './messages.ts';
import { likedPosts, posts, savedPosts } from './posts.ts';
import { users } from './users.ts';

/** Every collection of the backend service (§3). */
export const collections: Partial<Record<CollectionId, Collection>> = {
  users,
  posts,
  likedPosts,
  saves: savedPosts,
  conversations,
  chats,
  conversationOwners,
  conversationReceipts,
  chatReceipts,
};
