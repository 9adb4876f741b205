import { Problem } from '../platform/problem.ts';

/** Bounds what uploads hold in memory: whole pictures of up to 20 MB each. */
export interface UploadSlots {
  /** Does the work in a slot. @throws Problem `general_unavailable` when all are taken; `general_rate_limit_exceeded` when the account has its share */
  within<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/** `total` uploads at once on this node, `perAccount` of one account. */
export function openUploadSlots({ total = 12, perAccount = 4 } = {}): UploadSlots {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    async within(accountId, work) {
      const own = held.get(accountId) ?? 0;
      if (own >= perAccount) throw new Problem('general_rate_limit_exceeded', { retryAfter: 2 });
      if (taken >= total) throw new Problem('general_unavailable', { retryAfter: 2 });
      taken++;
      held.set(accountId, own + 1);
      try {
        return await work();
      } finally {
        taken--;
        const left = (held.get(accountId) ?? 1) - 1;
        if (left > 0) held.set(accountId, left);
        else held.delete(accountId);
      }
    },
  };
}
