import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { VerificationRequest } from '@tara/contract/verification';
import { and, eq, isNull } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, presentPerson, profiles } from '../profiles/index.ts';
import { verifications } from './tables.ts';

/** Requests that wait for an admin, oldest first, 20 a page (§7). */
export async function listPending(
  database: Database,
  cursor: string | undefined,
): Promise<PageOf<VerificationRequest>> {
  const { where, orderBy } = keyset(verifications.createdAt, verifications.id, readCursor(cursor), 'asc');
  const rows = await database
    .select({ request: verifications, creator: personColumns(profiles), picture: pictureColumns(files) })
    .from(verifications)
    .innerJoin(profiles, eq(profiles.id, verifications.userId))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(and(isNull(verifications.valid), where))
    .orderBy(...orderBy)
    .limit(pageSize.admin + 1);
  return presentPage(
    rows,
    pageSize.admin,
    ({ request, creator, picture }) => ({
      id: request.id,
      userId: request.userId,
      creator: presentPerson(creator, picture),
      address: request.address,
      valid: request.valid,
      createdAt: request.createdAt.toISOString(),
    }),
    ({ request }) => ({ at: request.createdAt, id: request.id }),
  );
}
