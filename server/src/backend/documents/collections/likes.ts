import { and, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Likeable } from '../../../features/likes/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { visibleTo } from '../../../features/visibility/index.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import {
  attribute,
  type Collection,
  creation,
  ownRecord,
  Reference,
  recordOf,
  requireId,
} from '../collection.ts';

const liker = alias(profiles, 'liker');

/**
 * The likes of the viewer, of records that they may read (§3). Each is found by its `$id`, which is made of the two ids,
 * or by `whoLiked` and the record.
 * @param subject the attribute with the record's id.
 */
export function likeCollection({ records, ids, set }: Likeable, subject: 'postId' | 'reviewId'): Collection {
  const { likes, table, members } = records;
  const own = (viewer: Viewer) =>
    and(eq(likes.table.whoLiked, viewer.profileId), visibleTo(viewer, ...members));
  return {
    source: {
      collectionId: likes.collection,
      ...recordOf(likes.table),
      joins: [
        { table: liker, on: eq(liker.id, likes.table.whoLiked) },
        { table, on: eq(table.id, likes.subject) },
      ],
      parties: [liker.accountId],
      permissions: ownRecord,
      attributes: {
        whoLiked: attribute('string', likes.table.whoLiked, { indexed: true }),
        [subject]: attribute('string', likes.subject, { indexed: true }),
      },
    },
    readable: { list: own, one: own },
    announced: false,
    create: creation({
      fields: z.strictObject({ [subject]: Reference }),
      sets: ({ profileId }) => ({ whoLiked: profileId, userId: profileId }),
      perMinute: 120,
      run: async (context, viewer, { data }) => {
        const recordId = String(data[subject]);
        await set(context, viewer, recordId, true);
        return requireId(await ids.find(context.database, viewer.profileId, recordId));
      },
    }),
    delete: {
      perMinute: 120,
      run: (context, viewer, document) => set(context, viewer, String(document[subject]), false),
    },
  };
}
