import { endSource, expireIntent } from './authorization.ts';
import { completePayment } from './charge.ts';
import type { ProviderContext } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import { advanceRefund } from './resources/refunds.ts';
import { completeTransfer } from './resources/transfers.ts';

/** Moves everything on that is due. */
function completeDue(context: ProviderContext): void {
  const { clock, store } = context;
  const now = clock.now();
  store.transact(() => {
    for (const transfer of store.due('transfer', now)) completeTransfer(context, transfer);
    for (const refund of store.due('refund', now)) advanceRefund(context, refund);
    for (const payment of store.due('payment', now)) completePayment(context, payment);
    for (const intent of store.due('payment_intent', now)) expireIntent(context, intent);
    for (const source of store.due('source', now)) endSource(context, source, 'expired');
  });
}

/** Runs due work and then waits for the next. All state is in the database, so a kill loses nothing. */
export function createWorker(context: ProviderContext, deliveries: Deliveries) {
  const { store, clock, log } = context;
  let running = false;
  let cancelTimer = () => {};

  function runDue(): void {
    if (!running) return;
    cancelTimer();
    try {
      completeDue(context);
      deliveries.run(runSoon);
      const times = [store.nextDue(), deliveries.nextDue()].filter((at) => at !== null);
      if (times.length > 0) cancelTimer = clock.after(Math.max(0, Math.min(...times) - clock.now()), runDue);
    } catch (error) {
      // For example a full disk. The work stays due and is tried again after a second.
      log.warn(`the payment sandbox failed: ${error}`);
      cancelTimer = clock.after(1_000, runDue);
    }
  }

  /** Schedules a run; call it after every change. */
  function runSoon(): void {
    if (!running) return;
    cancelTimer();
    cancelTimer = clock.after(0, runDue);
  }

  return {
    runSoon,
    start(): void {
      running = true;
      runSoon();
    },
    async stop(): Promise<void> {
      running = false;
      cancelTimer();
      await deliveries.stop();
    },
  };
}
