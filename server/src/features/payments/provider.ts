import { isOutcomeUnknown, type Paymongo, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import type { Config } from '../../config.ts';
import type { Platform } from '../../platform/platform.ts';

/** What the money code works with. */
export interface PaymentContext extends Pick<Platform, 'database' | 'bus' | 'log' | 'config'> {
  provider: Paymongo;
}

/** Whether real money moves (`sk_live_…`): which of a delivery's two signatures counts. */
export const isLive = ({ payMongo }: Pick<Config, 'payMongo'>) =>
  payMongo?.secretKey.startsWith('sk_live_') ?? false;

/** How long the provider wants to be left alone, ms; null of every other error. */
export const pauseAfter = (error: unknown): number | null =>
  error instanceof PaymongoError ? error.retryAfterMs : null;

/** Whether the provider does not do what it is asked, whatever that is: it is away, or wants to be left alone. */
export const isAway = (error: unknown): boolean => isOutcomeUnknown(error) || pauseAfter(error) !== null;

/** Whether the provider answered, with what cannot be read: it likely says the same when it is asked again. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof PaymongoUnreachable && error.reason === 'unreadable';

/** Why the provider refused, as it is stored: at most 500 characters. */
export const errorText = (reason: string) => reason.slice(0, 500);
