import { noOwners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';

/** Tells admins of a request, without what stands in it: their list asks for that. */
export function announceRequest(
  bus: Platform['bus'],
  change: 'create' | 'update' | 'delete',
  request: { id: string; userId: string; valid: true | null },
): void {
  bus.publish('document', {
    collection: 'verifying',
    id: request.id,
    change,
    document: { ...request },
    audience: 'admins',
    owners: noOwners,
  });
}
