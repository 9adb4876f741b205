import { createHash } from 'node:crypto';
import { nowMs } from '@tara/contract/clock';
import {
  Dispute,
  eventTransferId,
  LinkResource,
  Payment,
  Refund,
  verifySignature,
  WebhookEvent,
} from '@tara/paymongo';
import { and, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { parseJson } from '../../platform/http/json.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { captureLink, capturePayment } from './capture.ts';
import { recordChargeback } from './chargebacks.ts';
import { takeTransfer } from './disburse.ts';
import { isOpenDisbursement } from './disbursements.ts';
import { errorText, isLive, type PaymentContext } from './provider.ts';
import { attempts, disbursements, providerEvents, providerWebhooks } from './tables.ts';

/** What may sign a delivery to us: the secret of each address we registered, newest first. */
export async function signingSecrets({
  database,
  config,
}: Pick<PaymentContext, 'database' | 'config'>): Promise<string[]> {
  if (config.payMongo?.webhookSecret !== undefined) return [config.payMongo.webhookSecret];
  const rows = await database
    .select({ secret: providerWebhooks.secret })
    .from(providerWebhooks)
    .orderBy(desc(providerWebhooks.createdAt))
    .limit(5);
  return rows.map(({ secret }) => secret);
}

interface Delivery {
  /** As it came: the signature is over these bytes. */
  rawBody: Buffer;
  signature: string | undefined;
}

/**
 * Takes a delivery of the provider: keeps it once by its id, its work as a job of the same transaction. One that cannot
 * be read is stored as it came and logged.
 * @throws Problem `payment_signature_invalid` for one that is forged, altered, or more than 5 minutes off.
 */
export async function takeDelivery(context: PaymentContext, { rawBody, signature }: Delivery): Promise<void> {
  const live = isLive(context.config);
  const genuine = (await signingSecrets(context)).some((secret) =>
    verifySignature({ header: signature, rawBody, secret, now: nowMs(), live }),
  );
  if (!genuine) throw new Problem('payment_signature_invalid');
  const event = readEvent(rawBody);
  if (event instanceof Error) return storeUnread(context, rawBody, event);
  const { id, attributes } = event.data;
  await context.database.transaction(async (transaction) => {
    const [row] = await transaction
      .insert(providerEvents)
      .values({ id, type: attributes.type, payload: event })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id });
    if (row) await tasks.workProviderEvent.enqueue(transaction, { eventId: id });
  });
}

/** The event, or why it is refused: no JSON, more of it than any event has, or not an event's fields. */
function readEvent(rawBody: Buffer): WebhookEvent | Error {
  try {
    const read = WebhookEvent.safeParse(parseJson(rawBody.toString('utf8'), storable));
    return read.success ? read.data : new Error(z.prettifyError(read.error));
  } catch (error) {
    return error instanceof Error ? error : new Error('unreadable');
  }
}

/** Signed, so the provider's own: refusing it would only disable the webhook. What it says is found by asking. */
async function storeUnread({ database, log }: PaymentContext, body: Buffer, cause: Error): Promise<void> {
  const id = createHash('sha256').update(body).digest('hex');
  // The parser's message quotes the text, which may hold names and numbers.
  const problem = cause instanceof SyntaxError ? 'It is not JSON, or too large.' : errorText(cause.message);
  await database
    .insert(providerEvents)
    .values({ id, type: '', body, problem, processedAt: sql`now()` })
    .onConflictDoNothing();
  log.error({ eventId: id, problem }, 'a signed delivery could not be read: it is in provider_events');
}

/** Characters that no database holds are left out: the delivery is genuine, so it must be kept. */
const storable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/**
 * Works one kept event. Events come in any order and more than once; each only says where to look, and what it leads
 * to happens once however often it is done.
 */
export async function workEvent(context: PaymentContext, eventId: string): Promise<void> {
  const { database, log } = context;
  const [row] = await database.select().from(providerEvents).where(eq(providerEvents.id, eventId));
  if (!row || row.processedAt) return;
  const event = WebhookEvent.parse(row.payload);
  if (row.type === 'link.payment.paid') {
    await read(LinkResource, event, async (link) => {
      // Events of the newer links name the link only.
      await captureLink(context, link.payments.length > 0 ? link : await context.provider.links.get(link.id));
    });
  } else if (row.type === 'payment.paid') {
    await read(Payment, event, (payment) => capturePayment(context, payment));
  } else if (row.type === 'payment.refunded') {
    await read(Payment, event, (payment) => lookAtRefund(context, payment.id));
  } else if (row.type === 'payment.refund.updated') {
    await read(Refund, event, (refund) => lookAtRefund(context, refund.attributes.payment_id));
  } else if (row.type.startsWith('dispute.')) {
    await read(Dispute, event, (dispute) => recordChargeback(context, dispute));
  } else if (row.type.startsWith('transfer.outward.')) {
    await lookAtTransfer(context, event);
  } else {
    log.debug({ eventId, type: row.type }, 'an event without an effect');
  }
  await database
    .update(providerEvents)
    .set({ processedAt: sql`now()` })
    .where(eq(providerEvents.id, eventId));

  /** An event whose resource cannot be read is logged and skipped: the reconciler asks the provider anyway. */
  async function read<T>(
    schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
    from: WebhookEvent,
    work: (resource: T) => Promise<void>,
  ): Promise<void> {
    const resource = schema.safeParse(from.data.attributes.data);
    if (resource.success) return work(resource.data);
    log.error({ eventId, err: resource.error }, 'an event could not be read');
  }
}

/** A refund that Tara did not order holds back whatever is to leave of its payment (`whyHeldBack`). */
async function lookAtRefund({ database }: PaymentContext, paymentId: string): Promise<void> {
  const rows = await database
    .select({ disbursementId: disbursements.id })
    .from(disbursements)
    .where(and(eq(disbursements.paymentId, paymentId), isOpenDisbursement));
  for (const job of rows) await tasks.disburse.enqueue(database, job);
}

async function lookAtTransfer(context: PaymentContext, event: WebhookEvent): Promise<void> {
  const { database } = context;
  const transferId = eventTransferId(event) ?? '';
  const reference = event.data.attributes.data.attributes?.reference_number;
  const [disbursement] = await database
    .select({ id: disbursements.id })
    .from(disbursements)
    .where(
      // Its answer may have been lost, so that the transfer's id is not known yet.
      sql`${disbursements.id} = any(array(select ${typeof reference === 'string' ? reference : ''} union all
        select ${attempts.disbursementId} from ${attempts} where ${attempts.reference} = ${transferId}))`,
    );
  if (!disbursement) return;
  if (transferId !== '') await takeTransfer(context, disbursement.id, transferId);
  await tasks.disburse.enqueue(database, { disbursementId: disbursement.id });
}
