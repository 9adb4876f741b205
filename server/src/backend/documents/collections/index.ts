import type { CollectionId } from '@tara/contract/documents';
import type { Collection } from '../collection.ts';
import { posts } from './posts.ts';

/** Every collection of the backend service (§3). */
export const collections: Partial<Record<CollectionId, Collection>> = { posts };
