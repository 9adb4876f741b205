import { signDelivery } from '@tara/paymongo';
import { z } from 'zod';
import type { Log } from './context.ts';
import type { Events } from './events.ts';
import type { Clock } from './settings.ts';
import type { Store } from './store.ts';

export const Delivery = z.object({
  id: z.number(),
  event_id: z.string(),
  webhook_id: z.string(),
  state: z.enum(['pending', 'succeeded', 'failed', 'dropped', 'not_sent']),
  held: z.number(),
  attempts: z.number(),
  next_at: z.number(),
  answer: z.string().nullable(),
  updated_at: z.number(),
});
export type Delivery = z.infer<typeof Delivery>;

const Waiting = z.array(z.object({ at: z.number(), id: z.number() }));
const Exhausted = z.object({ events: z.number() });

/** Retries after the first attempt. The pauses double from 2 s, 136.5 minutes in total as at the provider. */
export const RETRIES = 12;
const pauseMs = (retry: number) => 2 ** retry * 1000;

/** The provider disables a webhook after this many consecutive events whose retries all failed. */
export const EXHAUSTED_EVENTS = 3;

const CONCURRENCY = 8;

export type Deliveries = ReturnType<typeof createDeliveries>;
type DeliveriesOptions = {
  store: Store;
  events: Events;
  clock: Clock;
  /** The receiver's time in ms, which signatures must not be ahead of. */
  signingTime(): number;
  log: Log;
  livemode: boolean;
  /** Whether deliveries may be sent to a URL. */
  deliverTo(url: URL): boolean;
  /** Factor for the pauses between retries; 1 is the provider's timing. */
  timeScale: number;
  /** Time limit for the receiver's reply in ms. */
  deliveryTimeoutMs: number;
  fetch: typeof fetch;
};

/** Sends events to webhooks, with the provider's retries. */
export function createDeliveries({
  store,
  events,
  clock,
  signingTime,
  log,
  livemode,
  deliverTo,
  timeScale,
  deliveryTimeoutMs,
  fetch: send,
}: DeliveriesOptions) {
  const { database } = store;
  const due = database.prepare(
    `select * from deliveries where state = 'pending' and next_at <= ? order by next_at, id limit 100`,
  );
  const next = database.prepare(
    `select next_at as at, id from deliveries where state = 'pending' order by next_at, id limit 100`,
  );
  const updateDelivery = database.prepare(
    'update deliveries set state = ?, attempts = ?, next_at = ?, answer = ?, held = 0, updated_at = ? where id = ?',
  );
  const releaseHeld = database.prepare(
    `update deliveries set held = 0, next_at = ? where webhook_id = ? and held = 1 and id < ? and state = 'pending'`,
  );
  const failPending = database.prepare(
    `update deliveries set state = 'failed', answer = ?, updated_at = ? where webhook_id = ? and state = 'pending'`,
  );
  const countExhausted = database.prepare(
    `insert into exhausted values (?, 1) on conflict (webhook_id) do update set events = events + 1 returning events`,
  );
  const resetExhausted = database.prepare('delete from exhausted where webhook_id = ?');
  const byEvent = database.prepare('select * from deliveries where event_id = ? order by id');
  const inFlight = new Map<number, Promise<void>>();
  const stopping = new AbortController();

  function update(delivery: Delivery, state: Delivery['state'], answer: string, nextAt = 0): void {
    updateDelivery.run(state, delivery.attempts, nextAt, answer, clock.now(), delivery.id);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const webhook = store.get('webhook', delivery.webhook_id);
    const event = events.get(delivery.event_id);
    if (!webhook || !event || webhook.attributes.status === 'disabled') {
      return update(delivery, 'failed', 'the webhook is disabled');
    }
    const { url, secret_key: secret } = webhook.attributes;
    if (!deliverTo(new URL(url))) return update(delivery, 'not_sent', 'deliveries go to this server only');
    const { accepted, answer } = await post(url, event.body, secret);
    // Stopped during the attempt: the next start repeats it.
    if (stopping.signal.aborted) return;
    store.transact(() => record({ ...delivery, attempts: delivery.attempts + 1 }, accepted, answer));
  }

  /** An error of our own, such as a full disk: the delivery stays pending and is retried after a pause. */
  async function pauseAfterError(error: unknown): Promise<void> {
    log.warn(`a delivery could not be recorded: ${error}`);
    await new Promise<void>((resolve) => {
      clock.after(1_000, resolve);
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  const postJson = (url: string, body: string, headers: Record<string, string> = {}) =>
    send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(deliveryTimeoutMs)]),
    });

  async function post(url: string, body: string, secret: string) {
    try {
      const signature = signDelivery({ rawBody: body, secret, now: signingTime(), live: livemode });
      const response = await postJson(url, body, { 'paymongo-signature': signature });
      const text = await response.text();
      const accepted = response.status >= 200 && response.status <= 209 && isJson(text);
      return {
        accepted,
        answer: `${response.status}${accepted || response.status > 209 ? '' : ' without JSON'}`,
      };
    } catch (error) {
      return {
        accepted: false,
        answer: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      };
    }
  }

  /** Records an attempt, which `delivery` counts already. */
  function record(delivery: Delivery, accepted: boolean, answer: string): void {
    const now = clock.now();
    const { attempts, webhook_id: webhookId } = delivery;
    // A later delivery was attempted, so earlier held ones may be sent.
    releaseHeld.run(now, webhookId, delivery.id);
    if (accepted) {
      update(delivery, 'succeeded', answer);
      resetExhausted.run(webhookId);
    } else if (attempts <= RETRIES) {
      update(delivery, 'pending', answer, now + Math.ceil(pauseMs(attempts) * timeScale));
    } else {
      update(delivery, 'failed', answer);
      const { events: count } = Exhausted.parse(countExhausted.get(webhookId));
      if (count >= EXHAUSTED_EVENTS) disable(webhookId, now);
    }
  }

  function disable(webhookId: string, now: number): void {
    const webhook = store.get('webhook', webhookId);
    if (!webhook) return;
    const attributes = {
      ...webhook.attributes,
      status: 'disabled',
      disabled_reason: 'max_retries_exceeded',
    } as const;
    store.save({ ...webhook, attributes }, now);
    failPending.run('the webhook was disabled', now, webhookId);
    log.warn(`webhook ${webhookId} disabled: ${EXHAUSTED_EVENTS} events in a row were not accepted`);
  }

  return {
    /** Starts the deliveries that are due, up to `CONCURRENCY` at a time; calls `onDone` after each. */
    run(onDone: () => void): void {
      for (const row of due.all(clock.now())) {
        if (inFlight.size >= CONCURRENCY || stopping.signal.aborted) return;
        const delivery = Delivery.parse(row);
        if (inFlight.has(delivery.id)) continue;
        const done = attempt(delivery)
          .catch(pauseAfterError)
          .finally(() => {
            inFlight.delete(delivery.id);
            if (!stopping.signal.aborted) onDone();
          });
        inFlight.set(delivery.id, done);
      }
    },
    /** Time in ms at which the next delivery that is not in flight is due, or null. */
    nextDue(): number | null {
      if (inFlight.size >= CONCURRENCY) return null;
      const rows = Waiting.parse(next.all());
      return rows.find((row) => !inFlight.has(row.id))?.at ?? null;
    },
    /** Resets the count of exhausted events, for a webhook that is enabled. */
    resetExhausted(webhookId: string): void {
      resetExhausted.run(webhookId);
    },
    /** Fails the pending deliveries of a webhook that is disabled. */
    failPending(webhookId: string): void {
      failPending.run('the webhook was disabled', clock.now(), webhookId);
    },
    /**
     * Posts to the `callback_url` of a transfer: unsigned, as the provider documents it, and once. The transfer itself
     * is found by asking.
     */
    callBack(url: string, body: object): void {
      if (!URL.canParse(url) || !deliverTo(new URL(url))) return;
      postJson(url, JSON.stringify(body)).catch((error) => log.warn(`a callback was not accepted: ${error}`));
    },
    forEvent: (eventId: string): Delivery[] => Delivery.array().parse(byEvent.all(eventId)),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(inFlight.values());
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // Recorded as 'without JSON'.
  }
}
