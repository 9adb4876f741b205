import { nowMs } from '@tara/contract/clock';
import { isDefiniteRefusal, type Payment, readSince } from '@tara/paymongo';
import { eq, type SQL, sql } from 'drizzle-orm';
import { isAmong } from '../../platform/database/among.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { interactions } from '../interactions/index.ts';
import { capturePayment } from './capture.ts';
import { isAway, type PaymentContext } from './provider.ts';
import { capturedPayments, providerReads } from './tables.ts';

/** How far the first read goes back, and for how long a payment that stays pending is looked at: 30 days. */
const mostPendingMs = 30 * 24 * 3_600_000;
/** What is read again, since payments may become visible in another order than they were made: a minute. */
const overlapMs = 60_000;

/**
 * Finds payments whose events were lost, a second one of a request as well: reads what the provider has since the last round,
 * newest first, and books what is paid and not booked. What is pending is looked at again in each round, for 30
 * days; what could not be booked ever more seldom.
 */
export async function findNewPayments(context: PaymentContext & Pick<JobHelpers, 'signal'>): Promise<void> {
  const { database, provider } = context;
  const list = eq(providerReads.list, 'payments');
  const [last] = await database.select().from(providerReads).where(list);
  // A time that lies ahead would make everything older that comes until then.
  const readAt = nowMs();
  const readUntil = last && Math.min(last.readUntil.getTime(), readAt);
  const since = readUntil === undefined ? readAt - mostPendingMs : readUntil - overlapMs;
  const listed = await readSince('GET /v1/payments', provider.payments.list, since / 1000);
  const older = (last?.openIds ?? []).filter((id) => listed.every((payment) => payment.id !== id));
  const payments = [...listed];
  const isOpen = new Set<string>();
  for (const id of older) {
    context.signal.throwIfAborted();
    try {
      payments.push(await provider.payments.get(id));
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.warn({ err: error, paymentId: id }, 'a payment that was pending could not be read');
      if (!isDefiniteRefusal(error)) isOpen.add(id);
    }
  }
  for (const { id, attributes } of payments)
    if (attributes.status === 'pending' && (attributes.created_at ?? 0) * 1000 > nowMs() - mostPendingMs)
      isOpen.add(id);
  // The oldest first: the first payment of a request is its own.
  const missing = (await whereMissing(context, payments)).toReversed();
  for (const { id } of missing) isOpen.add(id);
  await workItems(context, {
    name: 'payments.reconcile/payments',
    select: (isDue) => whereDue(context, missing, isDue),
    id: ({ id }) => id,
    work: async (payment) => {
      await capturePayment(context, payment);
      isOpen.delete(payment.id);
    },
    isOutage: isAway,
  });
  const createdMs = listed
    .map(({ attributes }) => (attributes.created_at ?? 0) * 1000)
    .filter((created) => created <= readAt);
  const read = {
    readUntil: new Date(createdMs.reduce((newest, created) => Math.max(newest, created), readUntil ?? since)),
    openIds: [...isOpen],
  };
  await database
    .insert(providerReads)
    .values({ list: 'payments', ...read })
    .onConflictDoUpdate({ target: providerReads.list, set: read });
}

/** Paid payments for requests of ours that are not booked. */
async function whereMissing({ database }: PaymentContext, payments: readonly Payment[]): Promise<Payment[]> {
  const paid = payments.filter(({ attributes }) => attributes.status === 'paid');
  const references = paid.flatMap(({ attributes }) => attributes.external_reference_number ?? []);
  const [booked, requests] = await Promise.all([
    database
      .select({ id: capturedPayments.id })
      .from(capturedPayments)
      .where(
        isAmong(
          capturedPayments.id,
          paid.map(({ id }) => id),
        ),
      ),
    database
      .select({ reference: interactions.referenceNumber })
      .from(interactions)
      .where(isAmong(interactions.referenceNumber, references)),
  ]);
  const bookedIds = new Set(booked.map(({ id }) => id));
  const ours = new Set(requests.map(({ reference }) => reference));
  return paid.filter(
    ({ id, attributes }) => !bookedIds.has(id) && ours.has(attributes.external_reference_number ?? ''),
  );
}

/** Of records that the provider listed those that are not postponed. */
export async function whereDue<Item extends { id: string }>(
  { database }: Pick<PaymentContext, 'database'>,
  items: readonly Item[],
  isDue: (id: SQL) => SQL,
): Promise<Item[]> {
  const ids = sql`json_array_elements_text(${JSON.stringify(items.map(({ id }) => id))}::json)`;
  const due = await database.execute<{ id: string }>(
    sql`select listed.id from ${ids} as listed(id) where ${isDue(sql`listed.id`)}`,
  );
  const dueIds = new Set(due.map(({ id }) => id));
  return items.filter(({ id }) => dueIds.has(id));
}
