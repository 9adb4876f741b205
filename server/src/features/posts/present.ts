import type { Post } from '@tara/contract/posts/posts';
import type { Change, LastState } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';
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

type Bus = Platform['bus'];

/** Announces a post to every member, with what its document says. */
const publish = (
  bus: Bus,
  change: Change,
  creatorId: string,
  document: { id: string } & Record<string, unknown>,
) =>
  bus.publish('document', {
    ...change,
    ...{ collection: 'posts', id: document.id, document, audience: 'members' },
    owners: { profileIds: [creatorId], authorId: creatorId },
  });

/** Announces a changed post to every member, as all may see it: `liked` and `saved` are each viewer's own. */
export const announcePost = (
  bus: Bus,
  change: 'create' | 'update',
  { liked: _liked, saved: _saved, ...shared }: Post,
) => publish(bus, { change }, shared.creatorId, shared);

export interface RemovedPost {
  id: string;
  creatorId: string;
  last: LastState;
}

/** Announces to every member that a post is deleted. */
export const announceRemovedPost = (bus: Bus, { id, creatorId, last }: RemovedPost) =>
  publish(bus, { change: 'delete', last }, creatorId, { id, creatorId });
