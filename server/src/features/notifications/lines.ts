import { findEvent } from '@tara/contract/notifications/events';
import { formatPesos, type RequestFacts } from '@tara/contract/notifications/facts';
import { asc, eq } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { notificationRequests, notifications } from './tables.ts';

/** What a request's texts say of it, but for the names of its parties. */
export const requestFacts = (
  request: { planTitle: string; priceCentavos: number; paidAt: Date | null },
  details: RequestFacts['details'],
): Omit<RequestFacts, 'client' | 'creator'> => ({
  // A title is one line, also in a mail's subject.
  title: request.planTitle.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
  price: request.priceCentavos === 0 ? null : formatPesos(request.priceCentavos),
  isPaid: request.paidAt !== null,
  details,
});

/** What Tara says in a plan chat; `clientKey` names the event. */
interface EventLine {
  chatId: string | null;
  body: string;
  clientKey: string;
}

/** The lines of a request's events, oldest first, each once although two people are notified. Lines name nobody: both parties read them. */
export async function readLines(
  database: Database | Transaction,
  interactionId: string,
): Promise<EventLine[]> {
  const rows = await database
    .select({
      event: notifications.event,
      occasion: notifications.occasion,
      details: notifications.details,
      request: {
        planTitle: notificationRequests.planTitle,
        priceCentavos: notificationRequests.priceCentavos,
        paidAt: notificationRequests.paidAt,
        chatId: notificationRequests.chatId,
      },
    })
    .from(notifications)
    .innerJoin(notificationRequests, eq(notificationRequests.id, notifications.interactionId))
    .where(eq(notifications.interactionId, interactionId))
    .orderBy(asc(notifications.createdAt), asc(notifications.event), asc(notifications.occasion));
  const lines = new Map<string, EventLine>();
  for (const { event, occasion, details, request } of rows) {
    const row = findEvent(event);
    const facts = { ...requestFacts(request, details), client: '', creator: '' };
    const body = (row?.audience === 'parties' && row.line?.(facts)) || null;
    const clientKey = `line-${event}${occasion && `-${occasion}`}`;
    if (body !== null) lines.set(clientKey, { chatId: request.chatId, body, clientKey });
  }
  return [...lines.values()];
}
