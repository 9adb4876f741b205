import { signDelivery } from '@tara/paymongo';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Events } from './events.ts';
import type { Store } from './store.ts';
import type { Log } from './world.ts';

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

/** After the first attempt. The pauses double from 2 s, which makes the provider's 136.5 minutes in all. */
export const RETRIES = 12;
const pauseMs = (retry: number) => 2 ** retry * 1000;

/** The provider disables a webhook after this many events in a row that ran out of retries. */
export const EXHAUSTED_EVENTS = 3;

const AT_ONCE = 8;

export type Deliveries = ReturnType<typeof createDeliveries>;
type Setting = {
  store: Store;
  events: Events;
  clock: Clock;
  log: Log;
  livemode: boolean;
  /** Which addresses may be sent to. */
  deliverTo(url: URL): boolean;
  /** Pauses are multiplied by this; 1 is the provider's pace. */
  timeScale: number;
  /** How long a receiver may take, in ms. */
  patienceMs: number;
};

/** Brings events to webhooks, again and again, and gives up as the provider does. */
export function createDeliveries({
  store,
  events,
  clock,
  log,
  livemode,
  deliverTo,
  timeScale,
  patienceMs,
}: Setting) {
  const { database } = store;
  const due = database.prepare(
    `select * from deliveries where state = 'pending' and next_at <= ? order by next_at, id limit 100`,
  );
  const next = database.prepare(
    `select next_at as at, id from deliveries where state = 'pending' order by next_at, id limit 100`,
  );
  const settle = database.prepare(
    'update deliveries set state = ?, attempts = ?, next_at = ?, answer = ?, held = 0, updated_at = ? where id = ?',
  );
  const release = database.prepare(
    `update deliveries set held = 0, next_at = ? where webhook_id = ? and held = 1 and id < ? and state = 'pending'`,
  );
  const giveUp = database.prepare(
    `update deliveries set state = 'failed', answer = ?, updated_at = ? where webhook_id = ? and state = 'pending'`,
  );
  const countExhausted = database.prepare(
    `insert into exhausted values (?, 1) on conflict (webhook_id) do update set events = events + 1 returning events`,
  );
  const forgive = database.prepare('delete from exhausted where webhook_id = ?');
  const byEvent = database.prepare('select * from deliveries where event_id = ? order by id');
  const inFlight = new Map<number, Promise<void>>();
  const stopping = new AbortController();

  async function attempt(delivery: Delivery): Promise<void> {
    const webhook = store.get('webhook', delivery.webhook_id);
    const event = events.get(delivery.event_id);
    if (!webhook || !event || webhook.attributes.status === 'disabled') {
      settle.run('failed', delivery.attempts, 0, 'the webhook is disabled', clock.now(), delivery.id);
      return;
    }
    const { url, secret_key: secret } = webhook.attributes;
    if (!deliverTo(new URL(url))) {
      settle.run(
        'not_sent',
        delivery.attempts,
        0,
        'deliveries go to this server only',
        clock.now(),
        delivery.id,
      );
      return;
    }
    const { taken, answer } = await post(url, event.body, secret);
    // Stopped on the way: the next start tries this attempt anew.
    if (stopping.signal.aborted) return;
    store.transact(() => record(delivery, taken, answer));
  }

  /** Something of ours broke, such as a full disk: the delivery stays pending, and nobody is hammered meanwhile. */
  async function rest(error: unknown): Promise<void> {
    log.warn(`a delivery could not be recorded: ${error}`);
    await new Promise<void>((resolve) => {
      clock.after(1_000, resolve);
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async function post(url: string, body: string, secret: string) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'paymongo-signature': signDelivery({ rawBody: body, secret, now: clock.now(), live: livemode }),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patienceMs)]),
      });
      const text = await response.text();
      const taken = response.status >= 200 && response.status <= 209 && isJson(text);
      return { taken, answer: `${response.status}${taken || response.status > 209 ? '' : ' without JSON'}` };
    } catch (error) {
      return {
        taken: false,
        answer: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      };
    }
  }

  function record(delivery: Delivery, taken: boolean, answer: string): void {
    const now = clock.now();
    const attempts = delivery.attempts + 1;
    const webhookId = delivery.webhook_id;
    // A held delivery has now been overtaken.
    release.run(now, webhookId, delivery.id);
    if (taken) {
      settle.run('succeeded', attempts, 0, answer, now, delivery.id);
      forgive.run(webhookId);
    } else if (attempts <= RETRIES) {
      settle.run(
        'pending',
        attempts,
        now + Math.ceil(pauseMs(attempts) * timeScale),
        answer,
        now,
        delivery.id,
      );
    } else {
      settle.run('failed', attempts, 0, answer, now, delivery.id);
      const { events: count } = z.object({ events: z.number() }).parse(countExhausted.get(webhookId));
      if (count >= EXHAUSTED_EVENTS) disable(webhookId, now);
    }
  }

  function disable(webhookId: string, now: number): void {
    const webhook = store.get('webhook', webhookId);
    if (!webhook) return;
    store.save({ ...webhook, attributes: { ...webhook.attributes, status: 'disabled' } }, now);
    giveUp.run('the webhook was disabled', now, webhookId);
    log.warn(`webhook ${webhookId} disabled: ${EXHAUSTED_EVENTS} events in a row were not taken`);
  }

  return {
    /** Starts what is due, a few at once; `then` is called after each of them. */
    run(then: () => void): void {
      for (const row of due.all(clock.now())) {
        if (inFlight.size >= AT_ONCE || stopping.signal.aborted) return;
        const delivery = Delivery.parse(row);
        if (inFlight.has(delivery.id)) continue;
        const done = attempt(delivery)
          .catch(rest)
          .finally(() => {
            inFlight.delete(delivery.id);
            if (!stopping.signal.aborted) then();
          });
        inFlight.set(delivery.id, done);
      }
    },
    /** When the next delivery that is not on its way is due, in ms, or null. */
    nextDue(): number | null {
      if (inFlight.size >= AT_ONCE) return null;
      const rows = z.array(z.object({ at: z.number(), id: z.number() })).parse(next.all());
      return rows.find((row) => !inFlight.has(row.id))?.at ?? null;
    },
    /** Enabling starts anew; disabling fails what is on its way. */
    forgive(webhookId: string): void {
      forgive.run(webhookId);
    },
    fail(webhookId: string): void {
      giveUp.run('the webhook was disabled', clock.now(), webhookId);
    },
    of: (eventId: string): Delivery[] => Delivery.array().parse(byEvent.all(eventId)),
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
    return false; // told as 'without JSON'
  }
}
