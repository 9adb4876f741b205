import { verifySignature, WebhookEvent } from '@tara/paymongo';
import { parseJson } from '../../platform/http/json.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { isLive, type PaymentContext } from './provider.ts';
import { providerEvents } from './tables.ts';
import { signingSecrets } from './webhook.ts';

interface Delivery {
  /** As it came: the signature is over these bytes. */
  rawBody: Buffer;
  signature: string | undefined;
}

/**
 * Takes a delivery of the provider: keeps it once by its id, its work as a job of the same transaction.
 * @throws Problem `payment_signature_invalid` for one that is forged, altered, or more than 5 minutes off.
 */
export async function takeDelivery(money: PaymentContext, { rawBody, signature }: Delivery): Promise<void> {
  const live = isLive(money.config);
  const genuine = (await signingSecrets(money)).some((secret) =>
    verifySignature({ header: signature, rawBody, secret, now: Date.now(), live }),
  );
  if (!genuine) throw new Problem('payment_signature_invalid');
  const event = readEvent(rawBody);
  if (!event) {
    // Signed, so the provider's own: refusing it would only disable the webhook. What it told is found by asking.
    money.log.error('a signed delivery could not be read');
    return;
  }
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

function readEvent(rawBody: Buffer): WebhookEvent | null {
  try {
    const read = WebhookEvent.safeParse(parseJson(rawBody.toString('utf8'), storable));
    return read.success ? read.data : null;
  } catch {
    return null; // no JSON, or more of it than any event has
  }
}

/** Characters that no database holds are left out: the delivery is genuine, so it must be kept. */
const storable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
