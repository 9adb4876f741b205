import { interactions as calls } from '@tara/contract/interactions';
import type { LinksApi } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { heldFor } from '../features/payments/ledger.ts';
import { insertPlan } from './interactions.ts';
import { newScene, waitFor } from './scene.ts';
import { tillTest } from './till.ts';

/** The tests of the way from a link to its payment or refund, for both APIs that make links. */
export function testPaymentPath(linksApi: LinksApi): void {
  const test = tillTest
    .extend('linksApi', { scope: 'file' }, () => linksApi)
    .extend('scene', ({ till }) => newScene(till))
    .extend('linksPath', linksApi === 'classic' ? '/v1/links' : '/v1/payment_links');

  test.afterEach(({ till }) => till.provider.clearFaults());

  describe('a link', () => {
    test('is made by its API, and paid (§7-provider-request, §9-payment-defaults)', async ({
      till,
      scene,
      linksPath,
    }) => {
      const id = await scene.requested();
      const { linkId } = await scene.row(id);
      expect(await till.provider.get(`${linksPath}/${linkId}`)).toContain(`"remarks":"${id}"`);
      await scene.payFor(id);
      await expect.poll(async () => (await scene.row(id)).paidAt, waitFor).not.toBeNull();
      expect(await heldFor(till.database, id)).toBe(250_00);
      const link = await till.provider.client.links.get(linkId ?? '');
      expect(link).toMatchObject({ status: 'paid', amount: 250_00, archived: false });
      expect(link.payments.map((payment) => payment.id)).toEqual([(await scene.row(id)).paymentId]);
    });

    test('is captured by its own event alone', async ({ till, scene }) => {
      await till.provider.fault({ kind: 'drop_deliveries', event: 'payment.paid' });
      const id = await scene.paid();
      expect(await scene.transfers(id)).toEqual(['capture']);
    });

    test('is found paid by asking when every delivery is lost', async ({ till, scene }) => {
      await till.provider.fault({ kind: 'drop_deliveries' });
      const id = await scene.requested();
      await scene.payFor(id);
      const body = { interactionId: id };
      expect((await till.server.call(scene.client, calls.checkPayment, { body })).reply.paid).toBe(true);
      await till.reconcile();
      expect(await scene.transfers(id)).toEqual(['capture']);
    });

    test('that was declined is unpaid, and paid by the next card', async ({ till, scene }) => {
      const id = await scene.requested();
      const { checkoutUrl, linkId } = await scene.row(id);
      expect(await till.provider.pay(checkoutUrl ?? '', '4200000000000018')).toBe(false);
      expect((await till.provider.client.links.get(linkId ?? '')).status).toBe('unpaid');
      const body = { interactionId: id };
      expect((await till.server.call(scene.client, calls.checkPayment, { body })).reply.paid).toBe(false);
      await scene.payFor(id);
      await expect.poll(async () => (await scene.row(id)).paidAt, waitFor).not.toBeNull();
      expect(await scene.transfers(id)).toEqual(['capture']);
    });

    test('is made once although the answer was lost', async ({ till, scene, linksPath }) => {
      await till.provider.fault({ kind: 'lose_answer', path: linksPath, method: 'POST', times: 1 });
      const planId = await insertPlan(till.database, scene.creator);
      const { reply } = await till.server.call(scene.client, calls.createInteraction, { body: { planId } });
      await expect
        .poll(async () => {
          await till.reconcile();
          return (await scene.row(reply.id)).checkoutUrl;
        }, waitFor)
        .not.toBeNull();
      const links = await till.provider.get(`${linksPath}?limit=100`);
      expect(links.split(`"remarks":"${reply.id}"`)).toHaveLength(2);
    });

    test('that cannot be made is answered with the error, and made on the next try (§8-payment-failure)', async ({
      till,
      scene,
      linksPath,
    }) => {
      await till.provider.fault({ kind: 'answer_500', path: linksPath, method: 'POST' });
      const planId = await insertPlan(till.database, scene.creator);
      const { reply } = await till.server.call(scene.client, calls.createInteraction, { body: { planId } });
      const body = { interactionId: reply.id };
      const { problem } = await till.server.call(scene.client, calls.checkPayment, { body });
      expect(problem).toMatchObject({
        code: 502,
        type: 'payment_link_failed',
        text: 'Simulated by a fault.',
      });
      await till.provider.clearFaults();
      const { reply: again } = await till.server.call(scene.client, calls.checkPayment, { body });
      expect(again.checkoutUrl).toContain('/checkout/');
    });

    test('is closed when its request is cancelled', async ({ scene }) => {
      const id = await scene.requested();
      const { checkoutUrl } = await scene.row(id);
      await scene.step(scene.client, 'cancelRequest', id);
      await expect.poll(async () => (await fetch(checkoutUrl ?? '')).status, waitFor).toBe(410);
    });

    test('that is paid while its request is cancelled is given back', async ({ till, scene, linksPath }) => {
      await till.provider.fault({ kind: 'delay_deliveries', delay_ms: 60_000 });
      await till.provider.fault({ kind: 'answer_500', path: `${linksPath}/`, method: 'POST', times: 1 });
      const id = await scene.requested();
      await scene.payFor(id);
      await scene.step(scene.client, 'cancelRequest', id);
      await expect
        .poll(async () => {
          await till.reconcile();
          return (await scene.row(id)).refundedAt;
        }, waitFor)
        .not.toBeNull();
      expect(await heldFor(till.database, id)).toBe(0);
      const { linkId } = await scene.row(id);
      expect((await till.provider.client.links.get(linkId ?? '')).status).toBe('refunded');
    });
  });
}
