/** Why nothing of a disputed payment is sent, as admins read it. */
export const heldBackText = 'The card issuer disputes the payment.';

/** The same of a payment of which somebody gave money back at the provider's dashboard. */
export const foreignRefundText = 'The provider shows a refund of the payment that Tara did not order.';

/** Whether a problem says that money is held back: nobody refused it, and its receiver can do nothing about it. */
export const isHeldBackText = (problem: string | null): boolean =>
  problem === heldBackText || problem === foreignRefundText;
