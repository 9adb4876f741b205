import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Presenter } from './present.ts';
import type { Store } from './store.ts';

/** Logger of the sandbox; pino and the console both match. */
export type Log = { warn(message: string): void };

/** The dependencies of every part of the provider. */
export type ProviderContext = {
  store: Store;
  faults: Faults;
  present: Presenter;
  clock: Clock;
  log: Log;
  livemode: boolean;
  secretKey: string;
  /** Absolute URL of the plugin, without a trailing slash. */
  publicUrl(): string;
  /** Whether payments have tax withheld on the provider's fees. */
  withholdsTax: boolean;
  /** How long a transfer or refund stays pending, in ms. */
  pendingMs: number;
  /** Records an event and its deliveries; call it inside the transaction of the change. */
  emit(type: string, resource: { id: string; type: string; attributes: Record<string, unknown> }): void;
};
