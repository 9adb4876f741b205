import type { Database, Transaction } from '../../platform/database/connect.ts';
import { auditLog } from './tables.ts';

interface AuditEntry {
  /** Such as `verification.accept`. */
  action: string;
  /** Kind and id, such as `profile:k3…`. */
  subject: string;
  before?: unknown;
  after?: unknown;
}

/** Writes one line of what an admin did to the append-only audit log, in the transaction of that action. */
export async function audit(
  database: Database | Transaction,
  { accountId: actorAccountId }: { accountId: string },
  entry: AuditEntry,
): Promise<void> {
  await database.insert(auditLog).values({ ...entry, actorAccountId });
}
