import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';
import type { Store } from './store.ts';

export const Event = z.object({
  seq: z.number(),
  id: z.string(),
  type: z.string(),
  body: z.string(),
  created_at: z.number(),
});
export type Event = z.infer<typeof Event>;

/** How long a reordered delivery waits at most for a later one to overtake it. */
const OVERTAKE_MS = 10_000;

export type Events = ReturnType<typeof createEvents>;

/** The events that happened, and who is to be told of them. */
export function createEvents(store: Store, faults: Faults, clock: Clock, livemode: boolean) {
  const { database } = store;
  const insert = database.prepare('insert into events (id, type, body, created_at) values (?, ?, ?, ?)');
  const byId = database.prepare('select * from events where id = ?');
  const newest = database.prepare('select * from events order by seq desc limit ?');
  const plan = database.prepare(
    `insert into deliveries (event_id, webhook_id, state, held, next_at, updated_at) values (?, ?, ?, ?, ?, ?)`,
  );

  const listeners = (type: string) =>
    store
      .list('webhook', { limit: 1000, where: { status: 'enabled' } })
      .items.filter((webhook) => webhook.attributes.events.includes(type))
      .reverse();

  function planDelivery(eventId: string, webhookId: string, type: string): void {
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
    plan.run(eventId, webhookId, state, held, now + wait, now);
    if (fault?.kind === 'duplicate_deliveries') plan.run(eventId, webhookId, state, 0, now, now);
  }

  return {
    /** Records an event for every enabled webhook that asked for its type. */
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
      for (const webhook of listeners(type)) planDelivery(id, webhook.id, type);
    },

    /** Tells an event once more; false when there is no such event. Deliveries that are on their way stay. */
    sendAgain(id: string): boolean {
      const row = byId.get(id);
      if (!row) return false;
      const event = Event.parse(row);
      for (const webhook of listeners(event.type)) planDelivery(event.id, webhook.id, event.type);
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
