import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { accountEvents } from './tables.ts';
import type { Visit } from './visit.ts';

/** What happened to an account's security, in the backend service's words. */
export type AccountEvent =
  | 'user.create'
  | 'user.consent'
  | 'user.delete'
  | 'user.keep'
  | 'export.create'
  | 'session.create'
  | 'session.delete'
  | 'sessions.delete'
  | 'user.update.name'
  | 'user.update.email'
  | 'user.update.phone'
  | 'user.update.prefs'
  | 'user.update.password'
  | 'session.password.confirm'
  | 'verification.create'
  | 'verification.update'
  | 'recovery.create'
  | 'recovery.update';

/** Notes a security event, in the transaction of what it tells of. */
export async function recordEvent(
  transaction: Database | Transaction,
  accountId: string,
  event: AccountEvent,
  visit: Visit,
): Promise<void> {
  await transaction.insert(accountEvents).values({ id: newId(), accountId, event, ...visit });
}
