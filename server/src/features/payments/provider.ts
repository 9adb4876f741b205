import type { Paymongo } from '@tara/paymongo';
import type { Config } from '../../config.ts';
import type { Platform } from '../../platform/platform.ts';

/** What the money code works with. */
export interface PaymentContext extends Pick<Platform, 'database' | 'bus' | 'log' | 'config'> {
  provider: Paymongo;
}

/** Whether real money moves (`sk_live_…`): which of a delivery's two signatures counts. */
export const isLive = ({ payMongo }: Pick<Config, 'payMongo'>) =>
  payMongo?.secretKey.startsWith('sk_live_') ?? false;

/** Why the provider refused, as it is stored: at most 500 characters. */
export const errorText = (reason: string) => reason.slice(0, 500);
