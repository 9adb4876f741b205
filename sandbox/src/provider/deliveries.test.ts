import { nowMs } from '@tara/contract/clock';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { realClock } from './settings.ts';
import {
  json,
  newFolder,
  type StartedProvider,
  startProvider,
  startReceiver,
  until,
} from './testing/provider.ts';

const EventList = z.object({
  data: z.array(
    z.object({
      type: z.string(),
      deliveries: z.array(
        z.object({ state: z.string(), attempts: z.number(), answer: z.string().nullable() }),
      ),
    }),
  ),
});
const listEvents = async ({ address }: StartedProvider) =>
  (await json(fetch(`${address}/events`), EventList)).data;

describe('deliveries', () => {
  it('are retried until the receiver accepts them, with the same event id and a valid signature', async () => {
    const stage = await startProvider();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid']);
    receiver.answer = { status: 500, body: '{}' };
    await stage.payLink(20_000);
    await until(() => receiver.received.length >= 3);
    receiver.answer = { status: 200, body: '{}' };
    const [event] = await until(async () => {
      const all = await listEvents(stage);
      return all.some(({ deliveries }) => deliveries[0]?.state === 'succeeded') ? all.slice(-1) : null;
    });
    expect(event?.type).toBe('payment.paid');
    expect(new Set(receiver.received.map((one) => one.event.data.id)).size).toBe(1);
    expect(receiver.received.every(({ signed }) => signed)).toBe(true);
  });

  it('need a reply of JSON with a status of 200 to 209', async () => {
    const stage = await startProvider({ timeScale: 1 });
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid']);
    receiver.answer = { status: 200, body: 'OK' };
    await stage.payLink(20_000);
    const tried = await until(async () => {
      const event = (await listEvents(stage)).find(({ type }) => type === 'payment.paid');
      return event?.deliveries[0]?.attempts === 1 ? event.deliveries[0] : null;
    });
    expect(tried).toMatchObject({ state: 'pending', answer: '200 without JSON' });
  });

  it('end after twelve retries; three events in a row without success disable the webhook', async () => {
    const stage = await startProvider({ timeScale: 0.000_01 });
    const receiver = await startReceiver();
    const webhook = await receiver.listen(stage, ['payment.paid']);
    receiver.answer = { status: 503, body: '{}' };
    for (const amount of [20_000, 30_000, 40_000]) await stage.payLink(amount);
    const disabled = await until(async () => {
      const now = await stage.client.webhooks.get(webhook.id);
      return now.attributes.status === 'disabled' ? now : null;
    });
    expect(disabled).toMatchObject({
      id: webhook.id,
      attributes: { disabled_reason: 'max_retries_exceeded' },
    });
    expect(receiver.received).toHaveLength(3 * 13);
    await stage.payLink(20_000);
    expect((await listEvents(stage)).filter(({ type }) => type === 'payment.paid')[0]?.deliveries).toEqual(
      [],
    );
    receiver.answer = { status: 200, body: '{}' };
    await stage.client.webhooks.enable(webhook.id);
    await stage.payLink(20_000);
    await until(() => receiver.received.length === 3 * 13 + 1);
  });

  it('can be sent again by hand', async () => {
    const stage = await startProvider();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['link.payment.paid']);
    await stage.payLink(20_000);
    await until(() => receiver.received.length === 1);
    const id = receiver.received[0]?.event.data.id ?? '';
    expect((await stage.submit(`/events/${id}/send`, {})).status).toBe(303);
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]?.event.data.id).toBe(id);
    expect((await fetch(`${stage.address}/events/evt_none/send`, { method: 'POST' })).status).toBe(404);
  });

  it('continue after a restart, and payments are still there', async () => {
    const folder = newFolder();
    const first = await startProvider({ folder, timeScale: 0.01 });
    const receiver = await startReceiver();
    await receiver.listen(first, ['payment.paid']);
    receiver.answer = { status: 500, body: '{}' };
    const link = await first.payLink(20_000);
    await until(() => receiver.received.length === 1);
    await first.stop();
    receiver.answer = { status: 200, body: '{}' };
    const count = receiver.received.length;

    const second = await startProvider({ folder });
    await until(() => receiver.received.length > count);
    expect(receiver.received[0]?.event).toEqual(receiver.received.at(-1)?.event);
    expect((await second.client.links.get(link.id)).status).toBe('paid');
    expect((await second.client.webhooks.list())[0]?.attributes.secret_key).toBe(receiver.secret);
  });
});

describe('delivery faults', () => {
  it('duplicate, drop and delay matching deliveries, as often as configured', async () => {
    let aheadMs = 0;
    const clock = { ...realClock, now: () => nowMs() + aheadMs };
    const stage = await startProvider({ clock });
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid', 'link.payment.paid']);
    await stage.fault({ kind: 'duplicate_deliveries', event: 'payment.', times: 1 });
    await stage.fault({ kind: 'drop_deliveries', event: 'link.', times: 1 });
    await stage.payLink(20_000);
    await until(() => receiver.received.length === 2);
    expect(receiver.types()).toEqual(['payment.paid', 'payment.paid']);
    expect(receiver.received[0]?.event.data.id).toBe(receiver.received[1]?.event.data.id);

    await stage.fault({ kind: 'delay_deliveries', event: 'payment.', times: 1, delay_ms: 3_600_000 });
    const payments = () =>
      receiver.received.filter(({ event }) => event.data.attributes.type === 'payment.paid');
    const amounts = () => payments().map(({ event }) => JSON.stringify(event).match(/"amount":(\d+)/)?.[1]);
    await stage.payLink(30_000);
    await stage.payLink(40_000);
    await until(() => payments().length === 3);
    expect(amounts()).toEqual(['20000', '20000', '40000']);
    aheadMs = 3_600_000;
    await stage.payLink(50_000);
    await until(() => payments().length === 5);
    expect(amounts().slice(3).sort()).toEqual(['30000', '50000']);
  });

  it('deliver a later event before an earlier one', async () => {
    const stage = await startProvider();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid', 'link.payment.paid']);
    await stage.fault({ kind: 'reorder_deliveries', times: 1 });
    await stage.payLink(20_000);
    await until(() => receiver.received.length === 2);
    expect(receiver.types()).toEqual(['link.payment.paid', 'payment.paid']);
  });
});
