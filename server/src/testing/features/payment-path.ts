import { interactions as calls } from '@tara/contract/interactions/interactions';
import type { LinksApi } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { heldFor } from '../../features/payments/ledger.ts';
import { insertPlan } from './interactions.ts';
import { paymentTest } from './payment-fixture.ts';
import { openRequestFixture, waitFor } from './request-fixture.ts';

/** The tests of the way from a link to its payment or refund, for both APIs that make links. */
export function testPaymentPath(linksApi: LinksApi): void {
  const test = paymentTest
    .extend('linksApi', { scope: 'file' }, () => linksApi)
    .extend('requests', ({ fixture }) => openRequestFixture(fixture))
    .extend('linksPath', linksApi === 'classic' ? '/v1/links' : '/v1/payment_links');

  test.afterEach(({ fixture }) => fixture.provider.clearFaults());

  describe('a link', () => {
    test('is made by its API, and paid', async ({ fixture, requests, linksPath }) => {
      const id = await requests.requested();
      const { linkId } = await requests.row(id);
      expect(await fixture.provider.get(`${linksPath}/${linkId}`)).toContain(`"remarks":"${id}"`);
      await requests.payFor(id);
      await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
      expect(await heldFor(fixture.database, id)).toBe(250_00);
      const link = await fixture.provider.client.links.get(linkId ?? '');
      expect(link).toMatchObject({ status: 'paid', amount: 250_00, archived: false });
      expect(link.payments.map((payment) => payment.id)).toEqual([(await requests.row(id)).paymentId]);
    });

    test('is captured by its own event alone', async ({ fixture, requests }) => {
      await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.paid' });
      const id = await requests.paid();
      expect(await requests.transfers(id)).toEqual(['capture']);
    });

    test('is found paid by its status when every delivery is lost', async ({ fixture, requests }) => {
      await fixture.provider.fault({ kind: 'drop_deliveries' });
      const id = await requests.requested();
      await requests.payFor(id);
      const body = { interactionId: id };
      expect((await fixture.server.call(requests.client, calls.checkPayment, { body })).reply.paid).toBe(
        true,
      );
      await fixture.reconcile();
      expect(await requests.transfers(id)).toEqual(['capture']);
    });

    test('that was declined is unpaid, and paid by the next card', async ({ fixture, requests }) => {
      const id = await requests.requested();
      const { checkoutUrl, linkId } = await requests.row(id);
      expect(await fixture.provider.pay(checkoutUrl ?? '', '4200000000000018')).toBe(false);
      expect((await fixture.provider.client.links.get(linkId ?? '')).status).toBe('unpaid');
      const body = { interactionId: id };
      expect((await fixture.server.call(requests.client, calls.checkPayment, { body })).reply.paid).toBe(
        false,
      );
      await requests.payFor(id);
      await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
      expect(await requests.transfers(id)).toEqual(['capture']);
    });

    test('is made once although the answer was lost', async ({ fixture, requests, linksPath }) => {
      await fixture.provider.fault({ kind: 'lose_answer', path: linksPath, method: 'POST', times: 1 });
      const planId = await insertPlan(fixture.database, requests.creator);
      const { reply } = await fixture.server.call(requests.client, calls.createInteraction, {
        body: { planId },
      });
      await expect
        .poll(async () => {
          await fixture.reconcile();
          return (await requests.row(reply.id)).checkoutUrl;
        }, waitFor)
        .not.toBeNull();
      // The second call got the first one's link: there is no other that could be paid.
      const links = await fixture.provider.get(`${linksPath}?limit=100`);
      expect(links.split(`"remarks":"${reply.id}"`)).toHaveLength(2);
    });

    test('that cannot be made is made on the next try', async ({ fixture, requests, linksPath }) => {
      await fixture.provider.fault({ kind: 'answer_500', path: linksPath, method: 'POST' });
      const planId = await insertPlan(fixture.database, requests.creator);
      const { reply } = await fixture.server.call(requests.client, calls.createInteraction, {
        body: { planId },
      });
      const body = { interactionId: reply.id };
      const check = () => fixture.server.call(requests.client, calls.checkPayment, { body });
      expect((await check()).status).toBe(502);
      await fixture.provider.clearFaults();
      expect((await check()).reply.checkoutUrl).toContain('/checkout/');
    });

    test('is closed when its request is cancelled', async ({ requests }) => {
      const id = await requests.requested();
      const { checkoutUrl } = await requests.row(id);
      await requests.step(requests.client, 'cancelRequest', id);
      await expect.poll(async () => (await fetch(checkoutUrl ?? '')).status, waitFor).toBe(410);
    });

    test('that is paid while its request is cancelled is given back', async ({
      fixture,
      requests,
      linksPath,
    }) => {
      await fixture.provider.fault({ kind: 'delay_deliveries', delay_ms: 60_000 });
      await fixture.provider.fault({ kind: 'answer_500', path: `${linksPath}/`, method: 'POST', times: 1 });
      const id = await requests.requested();
      await requests.payFor(id);
      await requests.step(requests.client, 'cancelRequest', id);
      await expect
        .poll(async () => {
          await fixture.reconcile();
          return (await requests.row(id)).refundedAt;
        }, waitFor)
        .not.toBeNull();
      expect(await heldFor(fixture.database, id)).toBe(0);
      const { linkId } = await requests.row(id);
      expect((await fixture.provider.client.links.get(linkId ?? '')).status).toBe('refunded');
    });
  });
}
