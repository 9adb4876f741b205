import type { Post } from '@tara/contract/posts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';

/** What all may see: `liked` and `saved` are each viewer's own. */
const withoutOwn = ({ liked: _liked, saved: _saved, ...shared }: Post) => shared;

/** Tells every member of a changed post. */
export function announcePost(bus: Platform['bus'], change: 'create' | 'update', post: Post): void {
  bus.publish('document', {
    collection: 'posts',
    id: post.id,
    change,
    document: withoutOwn(post),
    audience: 'members',
  });
}

/**
 * Tells every member of a post's new number of likes; our own web needs no more of it.
 * @param read the whole post, for those who listen to documents.
 */
export function announceLikes(
  bus: Platform['bus'],
  id: string,
  totalLikes: number,
  read: () => Promise<Post>,
): void {
  bus.publish('document', {
    collection: 'posts',
    id,
    change: 'update',
    document: { id, totalLikes },
    readWhole: async () => {
      try {
        return withoutOwn(await read());
      } catch (error) {
        // Deleted meanwhile, which is announced by itself.
        if (error instanceof Problem && error.type === 'post_not_found') return null;
        throw error;
      }
    },
    audience: 'members',
  });
}

/** Tells every member that a post is gone. */
export function announceDeleted(bus: Platform['bus'], post: { id: string; creatorId: string }): void {
  bus.publish('document', {
    collection: 'posts',
    id: post.id,
    change: 'delete',
    document: { id: post.id, creatorId: post.creatorId },
    audience: 'members',
  });
}
