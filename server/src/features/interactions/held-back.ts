import type { MoneyProgress } from '@tara/contract/interactions/interactions';

/** Why nothing of a payment is sent that the provider shows as disputed, as admins read it. */
export const disputedPaymentText = 'The card issuer disputes the payment.';

/** The same of a payment of which somebody gave money back at the provider's dashboard. */
export const foreignRefundText = 'The provider shows a refund of the payment that Tara did not order.';

/** How money is shown that is held back, by its problem: nobody refused it, and its receiver can do nothing about it. */
export const heldBackStates: ReadonlyMap<string, MoneyProgress['state']> = new Map([
  [disputedPaymentText, 'frozen'],
  [foreignRefundText, 'on_hold'],
]);

/** Whether money with this problem is held back. */
export const isHeldBack = (problem: string | null): boolean =>
  problem !== null && heldBackStates.has(problem);
