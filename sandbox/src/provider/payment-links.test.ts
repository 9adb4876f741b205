import { createPaymongo, LinkResource, type LinksApi, PaymongoError } from '@tara/paymongo';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { card, type StartedProvider, startProvider, startReceiver, until } from './testing/provider.ts';
import { SECRET_KEY } from './testing/server.ts';

const Body = z.looseObject({
  data: z
    .union([z.array(z.unknown()), z.looseObject({ id: z.string(), status: z.string().optional() })])
    .optional(),
  errors: z.array(z.looseObject({ code: z.string(), source: z.unknown().optional() })).optional(),
});
const Created = z.looseObject({ id: z.string(), reference_number: z.string() });

const headers = {
  authorization: `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`,
  'content-type': 'application/json',
};
const clientOf = ({ address }: StartedProvider, links: LinksApi) =>
  createPaymongo({ secretKey: SECRET_KEY, baseUrl: address, links });
const call = async ({ address }: StartedProvider, method: string, path: string, body?: object) => {
  const answer = await fetch(`${address}/v1/payment_links${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: Body.parse(await answer.json()) };
};

describe('/v1/payment_links', () => {
  it('has flat bodies, ISO times and a minimum of ₱1', async () => {
    const stage = await startProvider();
    const order = { amount: 100, currency: 'PHP', description: 'Tea', metadata: { order: '7' } };
    const created = await call(stage, 'POST', '', order);
    expect(created).toMatchObject({
      status: 200,
      body: {
        data: {
          ...order,
          id: expect.stringMatching(/^link_/),
          remarks: null,
          status: 'active',
          livemode: false,
          url: expect.stringContaining('/checkout/link_'),
          reference_number: expect.stringMatching(/^\w{7}$/),
          restriction: { completed_sessions: { limit: 1 } },
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      },
    });
    const { id, reference_number } = Created.parse(created.body.data);
    const changed = await call(stage, 'PATCH', `/${id}`, { description: 'Coffee' });
    expect(changed.body.data).toMatchObject({ amount: 100, description: 'Coffee' });
    const list = await call(stage, 'GET', `?reference_number=${reference_number}`);
    expect(list.body).toEqual({ has_more: false, data: [changed.body.data] });
    expect((await fetch(`${stage.address}/v1/links/${id}`, { headers })).status).toBe(404);
    expect((await call(stage, 'GET', '/link_none')).status).toBe(404);
  });

  it('names the field of each mistake by its pointer', async () => {
    const stage = await startProvider();
    const restriction = { completed_sessions: { limit: 101 } };
    const { status, body } = await call(stage, 'POST', '', { amount: 99, currency: 'USD', restriction });
    expect(status).toBe(400);
    expect(body.errors?.map(({ code, source }) => [code, source])).toEqual(
      ['amount', 'currency', 'description', 'restriction/completed_sessions/limit'].map((field) => [
        'invalid_request_body',
        { pointer: `/${field}` },
      ]),
    );
  });

  it('is paid as often as its restriction allows', async () => {
    const stage = await startProvider();
    const restriction = { completed_sessions: { limit: 2 } };
    const order = { amount: 20_000, currency: 'PHP', description: 'Tea', restriction };
    const { id } = Created.parse((await call(stage, 'POST', '', order)).body.data);
    for (let tries = 0; tries < 3; tries++) {
      await stage.submit(`/checkout/${id}/card`, card('5555444444444457'));
    }
    expect((await call(stage, 'GET', `/${id}/payments`)).body.data).toHaveLength(2);
    expect((await call(stage, 'GET', `/${id}`)).body.data).toMatchObject({ status: 'active' });
  });

  it('refunds in pesos', async () => {
    const stage = await startProvider();
    const { links } = clientOf(stage, 'payment_links');
    const link = await links.create({ amount: 20_050, description: 'Tea' });
    await stage.submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    const payment_id = (await links.get(link.id)).payments[0]?.id ?? '';
    const refuse = (body: object) => call(stage, 'POST', `/${link.id}/refunds`, body);
    expect((await refuse({ payment_id, amount: 0.5, reason: 'others' })).status).toBe(400);
    expect((await refuse({ payment_id: 'pay_none', amount: 1, reason: 'others' })).status).toBe(404);
    const refund = await links.refund(link.id, { amount: 20_050, payment_id, reason: 'others' }, 'key');
    expect(refund.attributes).toMatchObject({ amount: 20_050, status: 'pending' });
    await until(async () => (await links.get(link.id)).status === 'refunded');
  });
});

describe.each<LinksApi>(['classic', 'payment_links'])('a client of %s', (api) => {
  it('reads a link by id and reference number, archives and unarchives it (§7-provider-links)', async () => {
    const stage = await startProvider();
    const { links } = clientOf(stage, api);
    const order = { amount: links.minimumAmount, description: 'Tea', remarks: 'Two cups' };
    const link = await links.create(order, 'key');
    expect(link).toMatchObject({ ...order, status: 'unpaid', archived: false, payments: [] });
    expect((await links.create(order, 'key')).id).toBe(link.id);
    expect(await links.get(link.id)).toEqual(link);
    expect(await links.findByReference(link.referenceNumber)).toEqual(link);
    expect(await links.findByReference('nothing')).toBeNull();
    expect((await links.archive(link.id)).archived).toBe(true);
    expect((await links.unarchive(link.id)).archived).toBe(false);
    const tooSmall = { ...order, amount: links.minimumAmount - 1 };
    expect(await links.create(tooSmall).catch((error) => error)).toBeInstanceOf(PaymongoError);
  });

  it('reads the event of its own links', async () => {
    const stage = await startProvider();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['link.payment.paid']);
    const { links } = clientOf(stage, api);
    const link = await links.create({ amount: 20_000, description: 'Tea' });
    await stage.submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    await until(() => receiver.received.length === 1);
    const event = LinkResource.parse(receiver.received[0]?.event.data.attributes.data);
    expect(event).toMatchObject({ id: link.id, referenceNumber: link.referenceNumber });
    expect((await links.get(link.id)).status).toBe('paid');
  });

  it('knows the links of the other API, so that changing it loses none', async () => {
    const stage = await startProvider();
    const other = clientOf(stage, api === 'classic' ? 'payment_links' : 'classic');
    const link = await other.links.create({ amount: 20_000, description: 'Tea' });
    const { links } = clientOf(stage, api);
    await stage.submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    const paid = await links.get(link.id);
    expect(paid).toMatchObject({ status: 'paid', amount: 20_000 });
    expect(await links.findByReference(link.referenceNumber)).toEqual(paid);
    expect((await links.archive(link.id)).archived).toBe(true);
    expect(await links.get('link_none').catch((error) => error)).toMatchObject({ status: 404 });
  });
});
