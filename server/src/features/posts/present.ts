import type { Post } from '@tara/contract/posts';
import { type Owners, ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';
import type { Likes } from './like.ts';
import type { posts } from './tables.ts';

export interface PostRow {
  post: Omit<typeof posts.$inferSelect, 'imageId' | 'number'>;
  /** Its time in the list that it was read for, as Postgres writes it: only the last post's is parsed. */
  listedAt: string;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  picture: PictureRow | null;
  liked: boolean;
  saved: boolean;
}

/** A post as a member sees it. Without a stored picture it is a quick post of someone who has only initials (§3). */
export function presentPost({ post, creator, creatorPicture, picture, liked, saved }: PostRow): Post {
  return {
    id: post.id,
    creator: presentPerson(creator, creatorPicture),
    creatorId: post.creatorId,
    caption: post.caption,
    picture: picture ? presentPicture(picture) : initialsPicture(creator.name),
    location: post.location,
    tags: post.tags,
    totalLikes: post.totalLikes,
    createdAt: post.createdAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    usedDp: post.usedDp,
    liked,
    saved,
  };
}

/** What all may see: `liked` and `saved` are each viewer's own. */
const withoutOwn = ({ liked: _liked, saved: _saved, ...shared }: Post) => shared;

const ownedBy = (creatorId: string): Owners => ({ profileIds: [creatorId], authorId: creatorId });

/** Tells every member of a changed post. */
export function announcePost(bus: Platform['bus'], change: 'create' | 'update', post: Post): void {
  bus.publish('document', {
    collection: 'posts',
    id: post.id,
    change,
    document: withoutOwn(post),
    audience: 'members',
    owners: ownedBy(post.creatorId),
  });
}

/** Tells every member of a post's new number of likes. */
export function announceLikes(
  bus: Platform['bus'],
  id: string,
  { totalLikes, creatorId }: Pick<Likes, 'totalLikes' | 'creatorId'>,
): void {
  bus.publish('document', {
    collection: 'posts',
    id,
    change: 'update',
    document: { id, totalLikes },
    audience: 'members',
    owners: ownedBy(creatorId),
  });
}

/** Tells a member's own clients of a like or save that came or went. */
export function announceOwn(
  bus: Platform['bus'],
  viewer: Pick<Viewer, 'accountId'>,
  record: { collection: 'likedPosts' | 'saves'; id: string },
  isNew: boolean,
): void {
  bus.publish('document', ownChange(viewer, { ...record, change: isNew ? 'create' : 'delete' }));
}

/** Tells every member that a post is gone. */
export function announceDeleted(bus: Platform['bus'], post: { id: string; creatorId: string }): void {
  bus.publish('document', {
    collection: 'posts',
    id: post.id,
    change: 'delete',
    document: { id: post.id, creatorId: post.creatorId },
    audience: 'members',
    owners: ownedBy(post.creatorId),
  });
}
