/** Why nothing of a payment is sent that the provider shows as disputed, as admins read it. */
export const disputedPaymentText = 'The card issuer disputes the payment.';

/** The same of a payment of which somebody gave money back at the provider's dashboard. */
export const foreignRefundText = 'The provider shows a refund of the payment that Tara did not order.';

/** The problems of money that is held back: nobody refused it, and its receiver can do nothing about it. */
export const heldBackTexts: readonly string[] = [disputedPaymentText, foreignRefundText];

/** Whether money with this problem is held back. */
export const isHeldBack = (problem: string | null): boolean =>
  problem !== null && heldBackTexts.includes(problem);
