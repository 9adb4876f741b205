import { nowMs } from '@tara/contract/clock';
import { z } from 'zod';
import { parseInput } from './problem.ts';
import type { Store } from './store.ts';

/** The current time and timers. Tests may pass their own. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

export const realClock: Clock = {
  now: nowMs,
  after(ms, run) {
    // A timer cannot run longer than this; the worker then finds nothing due and sets the next one.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** What differs between accounts of the provider. The defaults suit most tests. */
export const Settings = z.strictObject({
  /** Whether payments have tax withheld on the provider's fees. */
  withholds_tax: z.boolean().default(false),
  /** The balance before the first payment, in centavos. */
  opening_balance: z.int().min(0).max(1_000_000_000_000).default(10_000_000_000),
  /** Whether captured money counts into the balance only after two banking days. */
  banking_days: z.boolean().default(false),
  /** Whether only transfers to test accounts end, as with a test key; all others then stay pending. */
  test_accounts_only: z.boolean().default(false),
  /** Beginnings of the event names that the account does not know: registering for one is refused. */
  refused_events: z.array(z.string().min(1).max(60)).max(20).default([]),
});
export type Settings = z.output<typeof Settings>;

const Row = z.object({ value: z.string() });
const CLOCK = z.object({ ahead_ms: z.number().default(0) });
/** Enough for every refund window, and for the expiry of every test card to stay in the future. */
const MAX_ADVANCE_MS = 800 * 24 * 60 * 60 * 1000;
const Advance = z
  .strictObject({ days: z.number().min(0).max(800).default(0), ms: z.int().min(0).default(0) })
  .transform(({ days, ms }) => Math.round(days * 24 * 60 * 60 * 1000) + ms)
  .pipe(z.number().min(1).max(MAX_ADVANCE_MS));

export type AccountSettings = ReturnType<typeof createSettings>;

/** Stores the settings that differ from the initial ones, also across a restart. */
export function createSettings(store: Store, initial: Partial<Settings>) {
  const read = (name: string) => {
    const row = store.database.prepare('select value from settings where name = ?').get(name);
    return row ? JSON.parse(Row.parse(row).value) : {};
  };
  const write = (name: string, value: object) =>
    store.database
      .prepare('insert or replace into settings (name, value) values (?, ?)')
      .run(name, JSON.stringify(value));
  const get = () => Settings.parse({ ...initial, ...read('account') });

  return {
    get,
    /** Changes the settings that `input` names. Throws a 400 that names the invalid field. */
    change(input: unknown): Settings {
      const changes = parseInput(Settings.partial(), input);
      // Zod fills in defaults for omitted fields as well.
      const named = Object.entries(changes).filter(([name]) => Object.hasOwn(Object(input), name));
      write('account', { ...read('account'), ...Object.fromEntries(named) });
      return get();
    },
    /** The clock of the provider, which `advance` sets ahead of `base`. */
    createClock(base: Clock) {
      let aheadMs = CLOCK.parse(read('clock')).ahead_ms;
      return {
        now: () => base.now() + aheadMs,
        after: base.after,
        /** Sets the clock ahead by `days` and `ms`; returns the new time in ms. */
        advance(input: unknown): number {
          aheadMs += parseInput(Advance, input);
          write('clock', { ahead_ms: aheadMs });
          return base.now() + aheadMs;
        },
      };
    },
  };
}
