import type { CollectionId } from '@tara/contract/wire/documents';
import type { Collection } from '../collection.ts';
import { conversationOwners, conversationReceipts, conversations } from './conversations.ts';
import { planInteractions } from './interactions.ts';
import { friendLists, verifying } from './members.ts';
import { chatReceipts, chats } from './messages.ts';
import { plans } from './plans.ts';
import { likedPosts, posts, savedPosts } from './posts.ts';
import { likedReviews, reviewComments, reviews } from './reviews.ts';
import { users } from './users.ts';

/** Every collection of the backend service (§3). */
export const collections: Record<CollectionId, Collection> = {
  users,
  posts,
  likedPosts,
  saves: savedPosts,
  plans,
  planInteractions,
  conversationReceipts,
  chatReceipts,
  conversations,
  chats,
  conversationOwners,
  verifying,
  reviews,
  likedReviews,
  reviewComments,
  friendLists,
};
