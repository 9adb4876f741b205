import type { Faults } from './faults.ts';
import type { Presenter } from './present.ts';
import type { AccountSettings, Clock } from './settings.ts';
import type { Records, Store } from './store.ts';

/** Logger of the sandbox; pino and the console both match. */
export type Log = { warn(message: string): void };

/** The dependencies of every part of the provider. */
export type ProviderContext = Records & {
  store: Store;
  faults: Faults;
  present: Presenter;
  /** The provider's clock, which can be set ahead of the real one. */
  clock: Clock & { advance(input: unknown): number };
  log: Log;
  livemode: boolean;
  secretKey: string;
  /** Absolute URL of the plugin, without a trailing slash. */
  publicUrl(): string;
  settings: AccountSettings;
  /** How long a transfer or refund stays pending, in ms. */
  pendingMs: number;
  /** Posts to the `callback_url` of a transfer. */
  callBack(url: string, body: object): void;
  /** Records an event and its deliveries; call it inside the transaction of the change. */
  emit(type: string, resource: Record<string, unknown> & { id: string }): void;
};
