import { and, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { releaseFile } from '../files/index.ts';
import { verifications } from './tables.ts';

/** Days for which the pictures of an accepted request are kept. */
const keptDays = 30;
/** Most requests of one transaction. */
const batch = 100;

/** Gives up the pictures of one batch; answers how many requests there were. */
async function expireBatch({ database }: Pick<Platform, 'database'>): Promise<number> {
  return database.transaction(async (transaction) => {
    const old = await transaction
      .select()
      .from(verifications)
      .where(
        and(
          isNotNull(verifications.photoId),
          lt(verifications.acceptedAt, sql`now() - make_interval(days => ${keptDays})`),
        ),
      )
      .limit(batch)
      .for('update', { skipLocked: true });
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await transaction
      .update(verifications)
      .set({ idFrontId: null, idBackId: null, photoId: null })
      .where(inArray(verifications.id, ids));
    for (const { idFrontId, idBackId, photoId } of old) {
      for (const fileId of [idFrontId, idBackId, photoId]) {
        if (fileId !== null) await releaseFile(transaction, fileId);
      }
    }
    return old.length;
  });
}

/** Jobs of this feature. */
export const verificationTasks = (platform: Pick<Platform, 'database'>) =>
  tasks.expireVerifications.handledBy(async (_job, { signal }) => {
    while ((await expireBatch(platform)) === batch) signal.throwIfAborted();
  });
