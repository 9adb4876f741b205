import PQueue from 'p-queue';
import { addressKey, wideAddressKey } from './http/client-address.ts';
import { Problem } from './problem.ts';

/** Whose work it is. */
export interface Requester {
  accountId: string;
  /** As `request.ip`. */
  ip: string;
}

/** What one account, one address or one network may have of a queue. */
interface Share {
  /** Works that run at once. */
  running: number;
  /** Works that run or wait; more are refused. */
  total: number;
}

interface FairQueueOptions {
  /** Works that run at once. */
  concurrency: number;
  /** Works that run or wait. */
  total: number;
  account: Share;
  /** One IPv4 address, or the /64 of an IPv6 address. */
  address: Share;
  /** The /24 or /48 of an address. */
  network: Share;
}

export interface FairQueue {
  /**
   * Runs the work when it is its requester's turn. `signal` takes it out of the queue again; once begun, it runs on.
   * @throws Problem `general_rate_limit_exceeded` when the requester has too many works here; `general_unavailable` when all together have; the signal's reason
   */
  run<Result>(requester: Requester, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** Aborts when `signal` does, unless `begin` was called before. */
function abortWhileWaiting(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, begin: () => signal?.removeEventListener('abort', abort) };
}

/**
 * Opens a queue that nobody can take for themselves. A work waits for its account's share first, then for its address's
 * and its network's, and only then with all others: there each requester has no more entries than may run at once,
 * and the one with the fewest goes first: a new requester does not wait for everything that another has sent.
 */
export function openFairQueue(options: FairQueueOptions): FairQueue {
  const all = new PQueue({ concurrency: options.concurrency });
  const queues = new Map<string, { queue: PQueue; works: number }>();
  let works = 0;

  const sharesOf = ({ accountId, ip }: Requester) => [
    { key: `account ${accountId}`, share: options.account },
    { key: `address ${addressKey(ip)}`, share: options.address },
    { key: `network ${wideAddressKey(ip)}`, share: options.network },
  ];
  const enter = (key: string, { running }: Share): PQueue => {
    const entry = queues.get(key) ?? { queue: new PQueue({ concurrency: running }), works: 0 };
    entry.works++;
    queues.set(key, entry);
    return entry.queue;
  };
  const leave = (key: string) => {
    const entry = queues.get(key);
    if (entry && --entry.works === 0) queues.delete(key);
  };

  return {
    async run<Result>(requester: Requester, work: () => Promise<Result>, signal?: AbortSignal) {
      const shares = sharesOf(requester);
      if (shares.some(({ key, share }) => (queues.get(key)?.works ?? 0) >= share.total)) {
        throw new Problem('general_rate_limit_exceeded', { retryAfter: 5 });
      }
      if (works >= options.total) throw new Problem('general_unavailable', { retryAfter: 5 });
      works++;
      // Who has the fewest works here goes first.
      const priority = -(queues.get(shares[0]?.key ?? '')?.works ?? 0);
      const waiting = abortWhileWaiting(signal);
      const path = [...shares.map(({ key, share }) => enter(key, share)), all];
      const through = ([queue, ...further]: PQueue[]): Promise<Result> => {
        if (queue !== undefined) {
          return queue.add(() => through(further), { priority, signal: waiting.signal });
        }
        waiting.begin();
        return work();
      };
      try {
        return await through(path);
      } finally {
        waiting.begin();
        works--;
        for (const { key } of shares) leave(key);
      }
    },
  };
}
