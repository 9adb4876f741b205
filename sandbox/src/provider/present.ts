import type { Kind, Stored } from './kinds.ts';
import type { Store } from './store.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

type WireResource = { id: string; type: string; attributes: Record<string, unknown> };

const toResource = <K extends Kind>(
  record: Stored<K>,
  extra: Record<string, unknown> = {},
): WireResource => ({
  id: record.id,
  type: record.kind,
  attributes: {
    ...record.attributes,
    ...extra,
    created_at: seconds(record.createdAt),
    updated_at: seconds(record.updatedAt),
  },
});

/** Builds resources as they are on the wire, including nested ones. */
export function createPresenter(store: Store) {
  const payment = (record: Stored<'payment'>): WireResource =>
    toResource(record, {
      refunds: store
        .list('refund', { parent: record.id, limit: 100 })
        .items.reverse()
        .map((refund) => toResource(refund)),
    });
  const payments = (parent: string, where?: Record<string, string>): WireResource[] =>
    store.list('payment', { parent, limit: 100, where }).items.reverse().map(payment);

  const link = (record: Stored<'link'>): WireResource => {
    const paid = payments(record.id, { status: 'paid' }).map((data) => ({ data }));
    const { api, limit, metadata, ...attributes } = toResource(record, { payments: paid }).attributes;
    return { id: record.id, type: record.kind, attributes };
  };
  const flatLink = ({ id, attributes, createdAt, updatedAt }: Stored<'link'>) => {
    const { amount, currency, description, remarks, livemode, metadata, limit } = attributes;
    return {
      id,
      ...{ amount, currency, description, remarks, livemode, metadata },
      status: attributes.archived ? 'archived' : 'active',
      url: attributes.checkout_url,
      reference_number: attributes.reference_number,
      restriction: { completed_sessions: { limit } },
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
    };
  };

  return {
    /** A link of `/v1/payment_links` is flat, has ISO times, and does not contain its payments. */
    flatLink,
    payments,
    /** The link in an event: in the format of its own API. */
    eventLink: (record: Stored<'link'>) =>
      record.attributes.api === 'links' ? link(record) : flatLink(record),
    link,
    intent: (record: Stored<'payment_intent'>): WireResource =>
      toResource(record, {
        // The payments of a link's checkout belong to the link.
        payments: record.parent
          ? payments(record.parent, { payment_intent_id: record.id })
          : payments(record.id),
      }),
    method(record: Stored<'payment_method'>): WireResource {
      const { test_card, expiry_seconds, ...attributes } = toResource(record).attributes;
      return { id: record.id, type: record.kind, attributes };
    },
    source: (record: Stored<'source'>): WireResource => toResource(record),
    refund: (record: Stored<'refund'>): WireResource => toResource(record),
    dispute: (record: Stored<'dispute'>): WireResource => toResource(record),
    webhook: (record: Stored<'webhook'>): WireResource => toResource(record),
    payment,
    /** Resources of /v2 are flat and have ISO times. */
    transfer: (record: Stored<'transfer'>) => ({
      id: record.id,
      ...record.attributes,
      created_at: new Date(record.createdAt).toISOString(),
      updated_at: new Date(record.updatedAt).toISOString(),
    }),
  };
}
export type Presenter = ReturnType<typeof createPresenter>;
