import { and, eq, sql } from 'drizzle-orm';
import { wholeRow } from '../../platform/database/columns.ts';
import { compositeIds } from '../../platform/database/composite-id.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { type Change, lastRow, ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { visibleTo } from '../visibility/index.ts';
import { posts, saves } from './tables.ts';

type SaveContext = Pick<Platform, 'database' | 'bus'>;

/** Ids of saved posts. */
export const saveIds = compositeIds({
  table: saves,
  owner: saves.userId,
  subject: saves.postId,
  index: 'saves_own_id',
});

/** Announces a save, or its end, to the member's own clients. */
const announce = ({ bus }: SaveContext, viewer: Viewer, change: Change & { id: string }) =>
  bus.publish('document', ownChange(viewer, { collection: 'saves', ...change }));

/** Saves a post. @throws Problem `post_already_saved`, which creates nothing (§5); `post_not_found` */
export async function savePost(context: SaveContext, viewer: Viewer, postId: string): Promise<void> {
  const { profileId } = viewer;
  const statement = sql`
    insert into ${saves} (id, user_id, post_id)
    select ${saveIds.make(profileId, postId)}, ${profileId}, ${posts.id} from ${posts}
    where ${and(eq(posts.id, postId), visibleTo(viewer, posts.creatorId))} returning id`;
  const [saved] = await saveIds
    .write(() => context.database.execute<{ id: string }>(statement))
    .catch(refuseAs({ saves_pkey: 'post_already_saved', saves_post_id_fkey: 'post_not_found' }));
  if (saved === undefined) throw new Problem('post_not_found');
  announce(context, viewer, { id: saved.id, change: 'create' });
}

/** Removes a saved post from the viewer's; again changes nothing. */
export async function unsavePost(context: SaveContext, viewer: Viewer, postId: string): Promise<void> {
  const [gone] = await context.database
    .delete(saves)
    .where(and(eq(saves.userId, viewer.profileId), eq(saves.postId, postId)))
    .returning({ id: saves.id, row: wholeRow(saves) });
  if (gone) announce(context, viewer, { id: gone.id, change: 'delete', last: lastRow(saves, gone.row) });
}
