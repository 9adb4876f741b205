import type { Post } from '@tara/contract/posts';
import type { Platform } from '../../platform/platform.ts';

/** Tells every member of a changed post; without `liked` and `saved`, which are each viewer's own. */
export function announcePost(
  bus: Platform['bus'],
  change: 'create' | 'update',
  { liked: _liked, saved: _saved, ...shared }: Post,
): void {
  bus.publish('document', {
    collection: 'posts',
    id: shared.id,
    change,
    document: shared,
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
