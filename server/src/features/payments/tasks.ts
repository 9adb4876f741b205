import { nowMs } from '@tara/contract/clock';
import { refundWindowDays } from '@tara/contract/money/payment-methods';
import { bestSaleIfLosing } from '@tara/contract/money/sales';
import type { Paymongo } from '@tara/paymongo';
import { and, isNull, ne, sql } from 'drizzle-orm';
import { type JobHelpers, RetryLater } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { closePlansAboveLimit } from '../plans/index.ts';
import { workDeadlines } from './deadlines.ts';
import { disburse, retryPayouts } from './disburse.ts';
import { recordLedgerCheck } from './ledger-check.ts';
import { archiveLink, createLink } from './links.ts';
import { type PaymentContext, pauseAfter } from './provider.ts';
import { reconcile } from './reconcile.ts';
import { registerWebhook } from './registration.ts';
import { watchMoney } from './watch.ts';
import { workEvent } from './webhook.ts';

/**
 * Sets a job back for as long as the provider wants to be left alone after a 429. Its client refuses every call of this node until
 * then, so each of its jobs is set back.
 */
const patient =
  <Payload>(work: (payload: Payload, helpers: JobHelpers) => Promise<void>) =>
  async (payload: Payload, helpers: JobHelpers): Promise<void> => {
    try {
      await work(payload, helpers);
    } catch (error) {
      const pauseMs = pauseAfter(error);
      if (pauseMs === null) throw error;
      throw new RetryLater('The provider wants to be left alone.', new Date(nowMs() + pauseMs));
    }
  };

/** The money's jobs. Each may run more than once and at any time. */
export function paymentTasks(platform: Omit<PaymentContext, 'provider'>, provider: Paymongo) {
  const context = { ...platform, provider };
  return {
    ...tasks.createPaymentLink.handledBy(patient(({ interactionId }) => createLink(context, interactionId))),
    ...tasks.archivePaymentLink.handledBy(
      patient(({ interactionId }) => archiveLink(context, interactionId)),
    ),
    ...tasks.disburse.handledBy(patient(({ disbursementId }) => disburse(context, disbursementId))),
    ...tasks.workProviderEvent.handledBy(patient(({ eventId }) => workEvent(context, eventId))),
    ...tasks.profilePayouts.handledBy(({ profileId }) => retryPayouts(context, profileId)),
    ...tasks.workDeadlines.handledBy(patient((_job, helpers) => workDeadlines({ ...context, ...helpers }))),
    ...tasks.checkLedger.handledBy(
      patient(async (_job, helpers) => {
        await recordLedgerCheck({ ...context, ...helpers });
      }),
    ),
    ...tasks.watchMoney.handledBy(patient(() => watchMoney(context))),
    ...tasks.reconcilePayments.handledBy(patient((_job, helpers) => reconcile({ ...context, ...helpers }))),
  };
}

/** ms between two rounds of the reconciler, so that anything is repaired within a minute. */
const roundEvery = 30_000;
/** Rounds between two looks whether the provider disabled our webhook: ten minutes. */
const webhookEvery = 20;

/**
 * Registers the webhook and keeps the reconciler going. Call it when the server listens. A provider that is away does not
 * hinder the start: it is tried again in the next round.
 * @param webhookUrl where the provider is to deliver.
 */
export async function startPayments(
  platform: Pick<Platform, 'database' | 'bus' | 'log' | 'config'>,
  provider: Paymongo,
  webhookUrl: string,
): Promise<{ stop(): void }> {
  const { database, log, config } = platform;
  let untilRegistration = 0;
  await applyPaymentMethods(database, config);
  await closePlansAboveLimit(platform);
  const losing = bestSaleIfLosing(config);
  if (losing)
    log.warn(losing, 'each sale loses money: PLATFORM_FEE_BASIS_POINTS is less than the provider takes');
  let beat = 0;
  /**
   * The next half minute by the clock of the database: all nodes ask for the same round, which is done once. One that waits
   * keeps its time: it would wait for ever for a free place if each node put it off.
   */
  const nextRound = async () => {
    const [{ now } = { now: nowMs() }] = await database.execute<{ now: number }>(
      sql`select (extract(epoch from now()) * 1000)::float8 as now`,
    );
    const current = Math.floor(now / roundEvery);
    beat = Math.min(Math.max(beat + 1, current), current + 1);
    return { runAt: new Date((beat + 1) * roundEvery), keepsTime: true };
  };
  const round = async (findTime?: typeof nextRound) => {
    try {
      await tasks.reconcilePayments.enqueue(database, {}, await findTime?.());
      if (untilRegistration === 0) await registerWebhook({ ...platform, provider }, webhookUrl);
      untilRegistration = (untilRegistration + webhookEvery - 1) % webhookEvery;
    } catch (error) {
      log.warn({ err: error }, 'a check of the payments was skipped');
    }
  };
  const rounds = setInterval(() => round(nextRound), roundEvery).unref();
  await round();
  return { stop: () => clearInterval(rounds) };
}

/** Links that are not paid yet offer what the account offers now. */
async function applyPaymentMethods(
  database: Platform['database'],
  { paymentMethods }: Pick<Platform['config'], 'paymentMethods'>,
): Promise<void> {
  const days = refundWindowDays(paymentMethods);
  await database
    .update(interactions)
    .set({ refundWindowDays: days })
    .where(
      and(
        isNull(interactions.paidAt),
        isNull(interactions.cancelledAt),
        ne(interactions.refundWindowDays, days),
      ),
    );
}
