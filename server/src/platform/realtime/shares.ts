import { addressKey, wideAddressKey } from '../http/client-address.ts';

/** What is counted over all sockets of an account, of an address and of its network. */
interface Amounts {
  /** Sockets of somebody who is signed in. */
  members: number;
  /** Sockets of guests. */
  guests: number;
  /** Values of all filters. */
  values: number;
  /** Characters of all channels and filters. */
  textLength: number;
  /** Subscriptions and values that one event is compared with. */
  comparisons: number;
}

type Level = 'account' | 'address' | 'network';
type Counted = Exclude<keyof Amounts, 'comparisons'>;

/**
 * The most of each. An account has a few devices with many tabs. Hundreds of members share an address: theirs is what
 * ten accounts may have, and the network around it eight times as much.
 */
export const shareLimits: Record<Level, Partial<Amounts>> = {
  account: { members: 64, values: 500, textLength: 128 * 1024, comparisons: 1_000 },
  address: { guests: 32, values: 5_000, textLength: 2 * 1024 * 1024, comparisons: 10_000 },
  network: { guests: 256, values: 40_000, textLength: 16 * 1024 * 1024, comparisons: 80_000 },
};

/** An event that is compared no more than that is too much for no share. */
export const leastComparisons = Math.min(
  ...Object.values(shareLimits).map(({ comparisons = Number.POSITIVE_INFINITY }) => comparisons),
);

/** Whose socket it is. */
interface Owner {
  /** Null: a guest. */
  accountId: string | null;
  ip: string;
}

/** A share of which this is taken: its key, and the most of each. */
export interface Share {
  key: string;
  limit: Partial<Amounts>;
}

/** The shares that a socket takes from. */
export const sharesOf = ({ accountId, ip }: Owner): Share[] => [
  ...(accountId === null ? [] : [{ key: `account ${accountId}`, limit: shareLimits.account }]),
  { key: `address ${addressKey(ip)}`, limit: shareLimits.address },
  { key: `network ${wideAddressKey(ip)}`, limit: shareLimits.network },
];

/** What one socket takes of its shares. */
export interface Holding {
  shares: readonly Share[];
  amounts: Record<Counted, number>;
}

/** Sums what sockets hold by share, so that nobody makes the server keep more by opening more sockets. */
export function openShares<Holder extends object>() {
  const holdings = new Map<Holder, Holding>();
  const sums = new Map<string, Record<Counted, number>>();

  const sumOf = (key: string) => sums.get(key) ?? { members: 0, guests: 0, values: 0, textLength: 0 };
  const names: readonly Counted[] = ['members', 'guests', 'values', 'textLength'];
  const add = ({ shares, amounts }: Holding, sign: 1 | -1) => {
    for (const { key } of shares) {
      const sum = sumOf(key);
      for (const name of names) sum[name] += sign * amounts[name];
      if (sum.members + sum.guests > 0) sums.set(key, sum);
      else sums.delete(key);
    }
  };
  const fits = ({ shares, amounts }: Holding) =>
    shares.every(({ key, limit }) => {
      const sum = sumOf(key);
      return names.every((name) => sum[name] + amounts[name] <= (limit[name] ?? Number.POSITIVE_INFINITY));
    });

  return {
    /** Sets what a socket holds, in place of what it held. False, and nothing changes, when a share has too little left. */
    hold(holder: Holder, holding: Holding): boolean {
      const before = holdings.get(holder);
      if (before) add(before, -1);
      const taken = fits(holding) ? holding : before;
      if (taken) {
        holdings.set(holder, taken);
        add(taken, 1);
      }
      return taken === holding;
    },
    /** Gives back all that a socket held. */
    release(holder: Holder): void {
      const before = holdings.get(holder);
      if (before) add(before, -1);
      holdings.delete(holder);
    },
  };
}
