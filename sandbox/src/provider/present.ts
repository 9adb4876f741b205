import type { Kept, Kind } from './kinds.ts';
import type { Store } from './store.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

type Wire = { id: string; type: string; attributes: Record<string, unknown> };

const plain = <K extends Kind>(kept: Kept<K>, more: Record<string, unknown> = {}): Wire => ({
  id: kept.id,
  type: kept.kind,
  attributes: {
    ...kept.attributes,
    ...more,
    created_at: seconds(kept.createdAt),
    updated_at: seconds(kept.updatedAt),
  },
});

/** Builds resources as they go over the wire, with those nested in them. */
export function presenting(store: Store) {
  const payment = (kept: Kept<'payment'>): Wire =>
    plain(kept, {
      refunds: store
        .list('refund', { parent: kept.id, limit: 100 })
        .items.reverse()
        .map((refund) => plain(refund)),
    });
  const paid = (parent: string): Wire[] =>
    store
      .list('payment', { parent, limit: 100, where: { status: 'paid' } })
      .items.reverse()
      .map(payment);

  return {
    link: (kept: Kept<'link'>): Wire =>
      plain(kept, { payments: paid(kept.id).map((made) => ({ data: made })) }),
    intent: (kept: Kept<'payment_intent'>): Wire => plain(kept, { payments: paid(kept.id) }),
    method: (kept: Kept<'payment_method'>): Wire => plain(kept),
    source: (kept: Kept<'source'>): Wire => plain(kept),
    refund: (kept: Kept<'refund'>): Wire => plain(kept),
    webhook: (kept: Kept<'webhook'>): Wire => plain(kept),
    payment,
    /** /v2 writes flat, with ISO times. */
    transfer: (kept: Kept<'transfer'>) => ({
      id: kept.id,
      ...kept.attributes,
      created_at: new Date(kept.createdAt).toISOString(),
      updated_at: new Date(kept.updatedAt).toISOString(),
    }),
  };
}
export type Presenting = ReturnType<typeof presenting>;
