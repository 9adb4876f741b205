import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Presenting } from './present.ts';
import type { Store } from './store.ts';

/** Where a sandbox says what went wrong; pino and the console both fit. */
export type Log = { warn(message: string): void };

/** What every part of the provider works with. */
export type World = {
  store: Store;
  faults: Faults;
  present: Presenting;
  clock: Clock;
  log: Log;
  livemode: boolean;
  secretKey: string;
  /** Absolute address at which the plugin is reached, without a slash at its end. */
  publicUrl(): string;
  /** How long a transfer or refund stays pending, in ms. */
  settleMs: number;
  /** Records an event and its deliveries; call it inside the transaction of the change it tells of. */
  emit(type: string, resource: { id: string; type: string; attributes: Record<string, unknown> }): void;
};
