import { formatPesos } from '../notifications/facts.ts';

/** Why nothing of a disputed payment is sent, as admins read it. */
export const heldBackText = 'The card issuer disputes the payment.';

/** The same of a payment of which somebody gave back so many centavos at the provider's dashboard. */
export const foreignRefundText = (centavos: number): string =>
  `The provider shows a refund of ${formatPesos(centavos)} that Tara did not order.`;

const foreignRefund = /^The provider shows a refund of \S+ that Tara did not order\.$/;

/** Whether a problem says that money is held back: nobody refused it, and its receiver can do nothing about it. */
export const isHeldBackText = (problem: string | null): boolean =>
  problem !== null && (problem === heldBackText || foreignRefund.test(problem));
