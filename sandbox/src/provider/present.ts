import type { Kept, Kind } from './kinds.ts';
import type { Store } from './store.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

type WireResource = { id: string; type: string; attributes: Record<string, unknown> };

const plain = <K extends Kind>(record: Kept<K>, more: Record<string, unknown> = {}): WireResource => ({
  id: record.id,
  type: record.kind,
  attributes: {
    ...record.attributes,
    ...more,
    created_at: seconds(record.createdAt),
    updated_at: seconds(record.updatedAt),
  },
});

/** Builds resources as they go over the wire, with those nested in them. */
export function presenting(store: Store) {
  const payment = (record: Kept<'payment'>): WireResource =>
    plain(record, {
      refunds: store
        .list('refund', { parent: record.id, limit: 100 })
        .items.reverse()
        .map((refund) => plain(refund)),
    });
  const paid = (parent: string): WireResource[] =>
    store
      .list('payment', { parent, limit: 100, where: { status: 'paid' } })
      .items.reverse()
      .map(payment);

  return {
    link: (record: Kept<'link'>): WireResource =>
      plain(record, { payments: paid(record.id).map((paymentRecord) => ({ data: paymentRecord })) }),
    intent: (record: Kept<'payment_intent'>): WireResource => plain(record, { payments: paid(record.id) }),
    method: (record: Kept<'payment_method'>): WireResource => plain(record),
    source: (record: Kept<'source'>): WireResource => plain(record),
    refund: (record: Kept<'refund'>): WireResource => plain(record),
    webhook: (record: Kept<'webhook'>): WireResource => plain(record),
    payment,
    /** /v2 writes flat, with ISO times. */
    transfer: (record: Kept<'transfer'>) => ({
      id: record.id,
      ...record.attributes,
      created_at: new Date(record.createdAt).toISOString(),
      updated_at: new Date(record.updatedAt).toISOString(),
    }),
  };
}
export type Presenting = ReturnType<typeof presenting>;
