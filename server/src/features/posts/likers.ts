import { pageSize } from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import type { PageOf } from '@tara/contract/page';
import { and, eq } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, presentPerson, profiles } from '../profiles/index.ts';
import { requireVisible, visibleTo } from '../visibility/index.ts';
import { postCan } from './policy.ts';
import { postLikes, posts } from './tables.ts';

/**
 * Members who like the viewer's own post, last like first, 20 a page.
 * @throws Problem `post_not_found`; `user_unauthorized` for another's post: likes are private (decisions §2)
 */
export async function listLikers(
  database: Database,
  viewer: Viewer,
  postId: string,
  cursor: string | undefined,
): Promise<PageOf<Person>> {
  return readPage(cursor, {
    size: pageSize.likers,
    sortedBy: { time: postLikes.createdAt, id: postLikes.whoLiked },
    async read({ where, orderBy, limit }) {
      const rows = await database
        .select({
          creatorId: posts.creatorId,
          likedAt: postLikes.createdAt,
          person: personColumns(profiles),
          picture: pictureColumns(files),
        })
        .from(posts)
        .leftJoin(
          postLikes,
          and(
            eq(postLikes.postId, posts.id),
            eq(posts.creatorId, viewer.profileId),
            visibleTo(viewer, postLikes.whoLiked),
            where,
          ),
        )
        .leftJoin(profiles, eq(profiles.id, postLikes.whoLiked))
        .leftJoin(files, eq(files.id, profiles.imageId))
        .where(eq(posts.id, postId))
        .orderBy(...orderBy)
        .limit(limit);
      const [first] = rows;
      if (!first) throw new Problem('post_not_found');
      requireVisible(viewer, first.creatorId, 'post_not_found');
      if (!postCan.seeLikers(viewer, first)) throw new Problem('user_unauthorized');
      return rows.flatMap(({ likedAt, person, picture }) =>
        likedAt && person ? { likedAt, person, picture } : [],
      );
    },
    present: ({ person, picture }) => presentPerson(person, picture),
    toCursor: ({ likedAt, person }) => ({ at: likedAt, id: person.id }),
  });
}
