import { AsyncLocalStorage } from 'node:async_hooks';
import { addressKey, wideAddressKey } from './http/client-address.ts';
import { Problem } from './problem.ts';

/** Whose work it is. */
export interface Requester {
  accountId: string;
  /** As `request.ip`. */
  ip: string;
}

/** What one account, one address or one network may have of a queue. */
interface Limit {
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
  account: Limit;
  /** One IPv4 address, or the /64 of an IPv6 address. */
  address: Limit;
  /** The /24 or /48 of an address. */
  network: Limit;
  /** Whether a work that waits in another queue, or runs there, has no place in this one meanwhile. */
  sharesPlaces?: boolean;
}

export interface FairQueue {
  /**
   * Runs the work when it is its requester's turn; it counts for the shares of what is known of them. `signal` takes it out of the queue again; once begun, it runs on.
   * @throws Problem `general_rate_limit_exceeded` when the requester has too many works here; `general_unavailable` when all together have; the signal's reason
   */
  run<Result>(
    requester: Partial<Requester>,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
}

/** The accounts, addresses or networks that have works, or had some lately, by their key. */
interface Level {
  name: string;
  limit: Limit;
  shares: Map<string, Share>;
}

/** The works of one account, address or network. */
interface Share {
  key: string;
  level: Level;
  running: number;
  /** Those that wait, too. */
  works: number;
  /** The number of the turn in which its last work began; 0 before the first. */
  turn: number;
}

/** The works of one requester that wait, oldest first. */
interface Line {
  shares: readonly Share[];
  places: (() => void)[];
}

/** Does something without the place of the work that is under way. */
type WithoutPlace = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Of the work that is under way, where its queue shares places. */
const sharedPlaces = new AsyncLocalStorage<WithoutPlace | undefined>();

/** For how many turns those without works are remembered: who sends one work after the other is not new each time. */
const rememberedTurns = 10_000;

/** When one of the shares was served last. */
const lastTurn = (shares: readonly Share[]) => Math.max(0, ...shares.map(({ turn }) => turn));

/**
 * Opens a queue that nobody can take for themselves. A work begins at once while its account, its address and its
 * network run fewer than they may. When a place is free, the requester goes first whose account, address and network
 * were served longest ago: a new requester does not wait for what another has sent, nor for all of another address.
 */
export function openFairQueue({
  concurrency,
  total,
  sharesPlaces = false,
  ...limits
}: FairQueueOptions): FairQueue {
  const openLevel = (name: string, limit: Limit): Level => ({ name, limit, shares: new Map() });
  const account = openLevel('account', limits.account);
  const address = openLevel('address', limits.address);
  const network = openLevel('network', limits.network);
  /** By the names of the requester's shares. */
  const lines = new Map<string, Line>();
  let running = 0;
  let works = 0;
  let turns = 0;

  const shareOf = (level: Level, key: string): Share =>
    level.shares.get(key) ?? { key, level, running: 0, works: 0, turn: 0 };
  const sharesOf = ({ accountId, ip }: Partial<Requester>): Share[] => {
    const own = accountId === undefined ? [] : [shareOf(account, accountId)];
    if (ip !== undefined) own.push(shareOf(address, addressKey(ip)), shareOf(network, wideAddressKey(ip)));
    return own;
  };
  const forgetIdle = () => {
    // A work that is over may have a task that returns to its line.
    const waiting = new Set([...lines.values()].flatMap(({ shares }) => shares));
    for (const { shares } of [account, address, network]) {
      for (const [key, share] of shares)
        if (share.works === 0 && share.turn <= turns - rememberedTurns && !waiting.has(share))
          shares.delete(key);
    }
  };
  const mayBegin = (of: readonly Share[]) =>
    running < concurrency && of.every((share) => share.running < share.level.limit.running);
  const begin = (of: readonly Share[]) => {
    running++;
    turns++;
    for (const share of of) {
      share.running++;
      share.turn = turns;
    }
    if (turns % rememberedTurns === 0) forgetIdle();
  };
  const end = (of: readonly Share[]) => {
    running--;
    for (const share of of) share.running--;
  };

  /** Begins the work that is next, if there is a place for one. */
  const beginNext = (): boolean => {
    let next: [string, Line] | undefined;
    for (const entry of lines) {
      const isEarlier = next === undefined || lastTurn(entry[1].shares) < lastTurn(next[1].shares);
      if (isEarlier && mayBegin(entry[1].shares)) next = entry;
    }
    if (next === undefined) return false;
    const [key, line] = next;
    begin(line.shares);
    line.places.shift()?.();
    if (line.places.length === 0) lines.delete(key);
    return true;
  };

  /** Resolves when it is the requester's turn. */
  const waitInLine = (of: readonly Share[], signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const key = of.map((share) => `${share.level.name} ${share.key}`).join(' ');
      const line = lines.get(key) ?? { shares: of, places: [] };
      lines.set(key, line);
      const place = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.places.splice(line.places.indexOf(place), 1);
        if (line.places.length === 0) lines.delete(key);
        reject(signal?.reason);
      };
      line.places.push(place);
      signal?.addEventListener('abort', leave, { once: true });
    });

  const enter = (own: readonly Share[], signal?: AbortSignal) =>
    mayBegin(own) ? begin(own) : waitInLine(own, signal);
  const leave = (own: readonly Share[]) => {
    end(own);
    // A place of an account and one of an address may be for two works.
    while (beginNext());
  };

  /** Runs a work that has a place, and gives the place back. */
  async function runInPlace<Result>(own: readonly Share[], work: () => Promise<Result>): Promise<Result> {
    let tasksElsewhere = 0;
    let hasPlace = true;
    let isOver = false;
    const withoutPlace: WithoutPlace = async (task) => {
      tasksElsewhere++;
      if (hasPlace && !isOver) {
        hasPlace = false;
        leave(own);
      }
      try {
        const result = await task();
        // What failed there only has its error to pass on, and what outlived the work needs none.
        if (tasksElsewhere === 1 && !hasPlace && !isOver) {
          await enter(own);
          if (isOver) leave(own);
          else hasPlace = true;
        }
        return result;
      } finally {
        tasksElsewhere--;
      }
    };
    try {
      return await sharedPlaces.run(sharesPlaces ? withoutPlace : undefined, work);
    } finally {
      isOver = true;
      if (hasPlace) leave(own);
    }
  }

  async function runInTurn<Result>(
    requester: Partial<Requester>,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const own = sharesOf(requester);
    if (own.some((share) => share.works >= share.level.limit.total))
      throw new Problem('general_rate_limit_exceeded', { retryAfter: 5 });
    if (works >= total) throw new Problem('general_unavailable', { retryAfter: 5 });
    works++;
    for (const share of own) {
      share.works++;
      share.level.shares.set(share.key, share);
    }
    try {
      await enter(own, signal);
      return await runInPlace(own, work);
    } finally {
      works--;
      for (const share of own) {
        share.works--;
        // It only waited, and left: turns alone would not make it go.
        if (share.works === 0 && share.turn === 0) share.level.shares.delete(share.key);
      }
    }
  }

  return {
    run: (requester, work, signal) => {
      const withoutPlace = sharedPlaces.getStore();
      const run = () => runInTurn(requester, work, signal);
      return withoutPlace === undefined ? run() : withoutPlace(run);
    },
  };
}
