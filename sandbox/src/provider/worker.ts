import type { Deliveries } from './deliveries.ts';
import { settleDue } from './settle.ts';
import type { World } from './world.ts';

/** Sleeps until something is due, does it, sleeps again. All it knows is in the database, so a kill loses nothing. */
export function createWorker(world: World, deliveries: Deliveries) {
  const { store, clock, log } = world;
  let running = false;
  let callOff = () => {};

  function turn(): void {
    if (!running) return;
    callOff();
    try {
      settleDue(world);
      deliveries.run(wake);
      const times = [store.nextDue(), deliveries.nextDue()].filter((at) => at !== null);
      if (times.length > 0) callOff = clock.after(Math.max(0, Math.min(...times) - clock.now()), turn);
    } catch (error) {
      // A full disk, say. What is due stays due; look again when it may be over.
      log.warn(`the payment sandbox stumbled: ${error}`);
      callOff = clock.after(1_000, turn);
    }
  }

  /** Looks for work soon; call it after every change. */
  function wake(): void {
    if (!running) return;
    callOff();
    callOff = clock.after(0, turn);
  }

  return {
    wake,
    start(): void {
      running = true;
      wake();
    },
    async stop(): Promise<void> {
      running = false;
      callOff();
      await deliveries.stop();
    },
  };
}
