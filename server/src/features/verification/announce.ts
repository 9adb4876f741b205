import { eq } from 'drizzle-orm';
import { noOwners, ownChange } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { profiles } from '../profiles/index.ts';

/** Tells admins of a request, without what stands in it: their list asks for that. Its member's clients are told as well. */
export async function announceRequest(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  change: 'create' | 'update' | 'delete',
  request: { id: string; userId: string; valid: true | null },
): Promise<void> {
  const record = { collection: 'verifying', id: request.id, change } as const;
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
