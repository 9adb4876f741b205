import { desc, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import type { Device } from './sessions.ts';
import { accountEvents } from './tables.ts';

/** From where a call comes, as sessions and security events keep it. */
export interface Visit {
  ip: string;
  userAgent: string;
  /** Of a sign-in: the browser, if one signed in on it before. */
  device?: Device | null;
}

/** Reads the caller's address and user agent; a user agent is cut at 512 characters. */
export function readVisit(request: FastifyRequest): Visit {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) };
}

/** For what the server does by itself. */
export const noVisit: Visit = { ip: '', userAgent: '' };

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
  | 'identity.create'
  | 'identity.delete'
  | 'user.update.name'
  | 'user.update.email'
  | 'user.update.phone'
  | 'user.update.prefs'
  | 'user.update.password'
  | 'session.password.confirm'
  | 'session.secondFactor.confirm'
  | 'secondFactor.create'
  | 'secondFactor.update'
  | 'verification.create'
  | 'verification.update'
  | 'recovery.create'
  | 'recovery.update';

/** Stores a security event, in the transaction of its cause. */
export async function recordEvent(
  transaction: Database | Transaction,
  accountId: string,
  event: AccountEvent,
  { ip, userAgent }: Visit,
): Promise<void> {
  await transaction.insert(accountEvents).values({ id: newId(), accountId, event, ip, userAgent });
}

/** The account's security events, newest first, with the number of all. */
export async function listEvents(
  database: Database,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: (typeof accountEvents.$inferSelect)[] }> {
  const isOwn = eq(accountEvents.accountId, accountId);
  const [total, rows] = await Promise.all([
    database.$count(accountEvents, isOwn),
    database
      .select()
      .from(accountEvents)
      .where(isOwn)
      .orderBy(desc(accountEvents.createdAt), desc(accountEvents.id))
      .limit(limit)
      .offset(offset),
  ]);
  return { total, rows };
}
