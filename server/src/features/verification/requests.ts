import { pageSize } from '@tara/contract/limits';
import type { VerificationRequest, VerificationSend } from '@tara/contract/members/verification';
import type { PageOf } from '@tara/contract/page';
import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { type Change, noOwners, ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { attachFile, files, pictureColumns, releaseFile } from '../files/index.ts';
import {
  announceProfileChange,
  markVerificationSent,
  personColumns,
  presentPerson,
  profiles,
  setBirthDate,
} from '../profiles/index.ts';
import { verifications } from './tables.ts';

/**
 * Asks an admin to verify one's identity: the request, its three pictures, `sentVerifiedReq` and the birth date, where it is
 * sent, together or not at all.
 * Returns the request's id.
 * @throws Problem `verification_already_sent` while one waits and once verified (§4); `storage_file_not_found`; `document_already_exists` for
 * an `id` that is taken
 */
export async function sendRequest(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  { birthDate, ...form }: VerificationSend,
  id = newId(),
): Promise<string> {
  await platform.database
    .transaction(async (transaction) => {
      // Holds the profile: of two requests at once the second finds the first's mark.
      if (!(await markVerificationSent(transaction, viewer.profileId))) {
        throw new Problem('verification_already_sent');
      }
      if (birthDate !== undefined) await setBirthDate(transaction, viewer.profileId, birthDate);
      const pictures = { ...form };
      for (const field of ['idFrontId', 'idBackId', 'photoId'] as const) {
        const picture = await attachFile(transaction, {
          id: form[field],
          ownerAccountId: viewer.accountId,
          bucket: 'verificationFiles',
          readers: [],
          field,
        });
        pictures[field] = picture.id;
      }
      await transaction.insert(verifications).values({ id, userId: viewer.profileId, ...pictures });
    })
    .catch(
      refuseAs({
        verifications_one_pending: 'verification_already_sent',
        verifications_pkey: 'document_already_exists',
      }),
    );
  await announceRequest(platform, { change: 'create' }, { id, userId: viewer.profileId, valid: null });
  await announceProfileChange(platform, viewer.profileId);
  return id;
}

const isOwn = ({ profileId }: Viewer) => eq(verifications.userId, profileId);

/** The condition of the requests that a viewer may read: the own ones, and all for admins. */
export const verificationVisibleTo = (viewer: Viewer): SQL | undefined =>
  viewer.admin ? undefined : isOwn(viewer);

/** The condition of lists of requests: for admins those that wait, and their own. */
export const verificationListedFor = (viewer: Viewer): SQL | undefined =>
  viewer.admin ? or(isNull(verifications.valid), isOwn(viewer)) : isOwn(viewer);

/** Requests that wait for an admin, oldest first, 20 a page (§7). */
export async function listPending(
  database: Database,
  cursor: string | undefined,
): Promise<PageOf<VerificationRequest>> {
  return readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: verifications.createdAt, id: verifications.id, order: 'asc' },
    query: database
      .select({
        request: verifications,
        creator: personColumns(profiles),
        birthDate: profiles.birthDate,
        picture: pictureColumns(files),
      })
      .from(verifications)
      .innerJoin(profiles, eq(profiles.id, verifications.userId))
      .leftJoin(files, eq(files.id, profiles.imageId)),
    where: isNull(verifications.valid),
    present: ({ request, creator, birthDate, picture }) => ({
      id: request.id,
      userId: request.userId,
      creator: presentPerson(creator, picture),
      address: request.address,
      birthDate,
      valid: request.valid,
      createdAt: request.createdAt.toISOString(),
    }),
    toCursor: ({ request }) => ({ at: request.createdAt, id: request.id }),
  });
}

/** Announces a request to admins without its content, which their list fetches, and to its member's clients. */
export async function announceRequest(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  change: Change,
  request: { id: string; userId: string; valid: true | null },
): Promise<void> {
  const record = { ...change, collection: 'verifying', id: request.id } as const;
  bus.publish('document', {
    ...{ ...record, document: { ...request } },
    ...{ audience: 'admins', owners: noOwners },
  });
  const [member] = await database
    .select({ accountId: profiles.accountId })
    .from(profiles)
    .where(eq(profiles.id, request.userId));
  if (member) bus.publish('document', ownChange(member, record));
}

/** Days for which the pictures of an accepted request are kept. */
const keptDays = 30;
/** Most requests of one round. */
const batch = 100;
const isExpired = and(
  isNotNull(verifications.photoId),
  lt(verifications.acceptedAt, sql`now() - make_interval(days => ${keptDays})`),
);

/** Gives up the pictures of one request, unless it is being decided right now: then in the next round. */
const expire = ({ database }: Pick<Platform, 'database'>, id: string) =>
  database.transaction(async (transaction) => {
    const [old] = await transaction
      .select()
      .from(verifications)
      .where(and(eq(verifications.id, id), isExpired))
      .for('update', { skipLocked: true });
    if (old === undefined) return;
    await transaction
      .update(verifications)
      .set({ idFrontId: null, idBackId: null, photoId: null })
      .where(eq(verifications.id, id));
    for (const fileId of [old.idFrontId, old.idBackId, old.photoId]) {
      if (fileId !== null) await releaseFile(transaction, fileId);
    }
  });

/** Jobs of this feature. */
export const verificationTasks = (platform: Pick<Platform, 'database'>) =>
  tasks.expireVerifications.handledBy(async (_job, helpers) => {
    const { database } = platform;
    const round = () =>
      workItems(
        { database, ...helpers },
        {
          name: 'verification.expire',
          select: (isDue) =>
            database
              .select({ id: verifications.id })
              .from(verifications)
              .where(and(isExpired, isDue(verifications.id)))
              .orderBy(verifications.acceptedAt)
              .limit(batch),
          id: ({ id }) => id,
          work: ({ id }) => expire(platform, id),
        },
      );
    while ((await round()) === batch);
  });
