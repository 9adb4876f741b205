import { settleRefund } from './resources/refunds.ts';
import { settleTransfer } from './resources/transfers.ts';
import type { World } from './world.ts';

/** Ends every transfer and refund whose time has come. */
export function settleDue(world: World): void {
  const now = world.clock.now();
  world.store.transact(() => {
    for (const transfer of world.store.due('transfer', now)) settleTransfer(world, transfer);
    for (const refund of world.store.due('refund', now)) settleRefund(world, refund);
  });
}
