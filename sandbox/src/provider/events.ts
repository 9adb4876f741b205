import { z } from 'zod';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';
import type { Clock } from './settings.ts';
import type { Store } from './store.ts';

export const Event = z.object({
  seq: z.number(),
  id: z.string(),
  type: z.string(),
  body: z.string(),
  created_at: z.number(),
});
export type Event = z.infer<typeof Event>;

/** Longest time that a reordered delivery is held for a later one. */
const OVERTAKE_MS = 10_000;

export type Events = ReturnType<typeof createEvents>;

/** Stores events and schedules their deliveries. */
export function createEvents(store: Store, faults: Faults, clock: Clock, livemode: boolean) {
  const { database } = store;
  const insert = database.prepare('insert into events (id, type, body, created_at) values (?, ?, ?, ?)');
  const byId = database.prepare('select * from events where id = ?');
  const newest = database.prepare('select * from events order by seq desc limit ?');
  const insertDelivery = database.prepare(
    `insert into deliveries (event_id, webhook_id, state, held, next_at, updated_at) values (?, ?, ?, ?, ?, ?)`,
  );

  const subscribedWebhooks = (type: string) =>
    store
      .list('webhook', { limit: 1000, where: { status: 'enabled' } })
      .items.filter((webhook) => webhook.attributes.events.includes(type))
      .reverse();

  function scheduleDelivery(eventId: string, webhookId: string, type: string): void {
    const now = clock.now();
    const fault = faults.forDelivery(type);
    const state = fault?.kind === 'drop_deliveries' ? 'dropped' : 'pending';
    const held = fault?.kind === 'reorder_deliveries' ? 1 : 0;
    const wait =
      fault?.kind === 'delay_deliveries'
        ? (fault.delay_ms ?? 5_000)
        : held === 1
          ? (fault?.delay_ms ?? OVERTAKE_MS)
          : 0;
    insertDelivery.run(eventId, webhookId, state, held, now + wait, now);
    if (fault?.kind === 'duplicate_deliveries') insertDelivery.run(eventId, webhookId, state, 0, now, now);
  }

  return {
    /** Records an event for every enabled webhook that is subscribed to its type. */
    emit(type: string, resource: object, previous: object | null = null): void {
      const now = clock.now();
      const id = newId('evt');
      const body = JSON.stringify({
        data: {
          id,
          type: 'event',
          attributes: {
            type,
            livemode,
            data: resource,
            previous_data: previous ?? {},
            pending_webhooks: 1,
            created_at: Math.floor(now / 1000),
            updated_at: Math.floor(now / 1000),
          },
        },
      });
      insert.run(id, type, body, now);
      for (const webhook of subscribedWebhooks(type)) scheduleDelivery(id, webhook.id, type);
    },

    /** Schedules new deliveries of an event; false when it does not exist. Earlier deliveries are not affected. */
    resend(id: string): boolean {
      const row = byId.get(id);
      if (!row) return false;
      const event = Event.parse(row);
      for (const webhook of subscribedWebhooks(event.type))
        scheduleDelivery(event.id, webhook.id, event.type);
      return true;
    },

    get(id: string): Event | undefined {
      const row = byId.get(id);
      return row && Event.parse(row);
    },

    /** Newest first. */
    list: (limit: number): Event[] => Event.array().parse(newest.all(limit)),
  };
}
