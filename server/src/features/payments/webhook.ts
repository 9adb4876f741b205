import { createHash } from 'node:crypto';
import { verifySignature, WebhookEvent } from '@tara/paymongo';
import { desc } from 'drizzle-orm';
import { z } from 'zod';
import { parseJson } from '../../platform/http/json.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { errorText, isLive, type PaymentContext } from './provider.ts';
import { providerEvents, providerWebhooks, unreadDeliveries } from './tables.ts';

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
export async function takeDelivery(money: PaymentContext, { rawBody, signature }: Delivery): Promise<void> {
  const live = isLive(money.config);
  const genuine = (await signingSecrets(money)).some((secret) =>
    verifySignature({ header: signature, rawBody, secret, now: Date.now(), live }),
  );
  if (!genuine) throw new Problem('payment_signature_invalid');
  const event = readEvent(rawBody);
  if (event instanceof Error) return storeUnread(money, rawBody, event);
  const { id, attributes } = event.data;
  await money.database.transaction(async (transaction) => {
    const [row] = await transaction
      .insert(providerEvents)
      .values({ id, type: attributes.type, payload: event })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id });
    if (row) await tasks.workProviderEvent.enqueue(transaction, { eventId: id });
  });
}

/** The event, or why it is none: no JSON, more of it than any event has, or not an event's fields. */
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
  await database.insert(unreadDeliveries).values({ id, body, problem }).onConflictDoNothing();
  log.error({ deliveryId: id, problem }, 'a signed delivery could not be read: it is in unread_deliveries');
}

/** Characters that no database holds are left out: the delivery is genuine, so it must be kept. */
const storable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
