import type { Interaction } from '@tara/contract/interactions';
import { exactTime } from '../../ui/TimeLabel.tsx';

type Side = 'client' | 'creator' | 'other';

/** The text of what happens next with a request, for one side of it (§4). */
export function nextStep(request: Interaction, side: Side): string {
  if (request.cancelled) return 'This request was cancelled.';
  if (request.completed) return afterCompletion(request, side);
  if (request.userSetDone) {
    return side === 'creator'
      ? 'Fulfilled. An admin confirms it next, then your payout starts.'
      : 'Fulfilled. An admin confirms it next, then you can write a review.';
  }
  return side === 'creator' ? creatorNextStep(request) : clientNextStep(request);
}

function afterCompletion({ reviewSubmitted, money }: Interaction, side: Side): string {
  if (side !== 'creator') {
    return reviewSubmitted
      ? 'Completed. Thank you for your review.'
      : 'Completed. You can write a review now.';
  }
  if (money.state !== 'owed') return 'Completed. Well done!';
  if (money.waitsUntil !== null)
    return `Completed. Your payout waits until ${exactTime(money.waitsUntil)}, because your phone number changed.`;
  switch (money.payout?.state) {
    case 'needs_number':
      return 'Completed. Your payout waits for your GCash number.';
    case 'refused':
      return 'Completed. Your payout was refused. Check your GCash number; we try again.';
    case 'frozen':
      return 'Completed. Your payout waits, because the card issuer disputes the payment.';
    default:
      return 'Completed. Your payout is on its way.';
  }
}

function creatorNextStep({ accepted, paid, whoSentReq: { name } }: Interaction): string {
  if (!accepted)
    return paid ? `${name} has paid. Accept to meet.` : `Accept to meet. ${name} has not paid yet.`;
  return paid ? `Meet ${name}, who then says that the plan is fulfilled.` : `Waiting for ${name} to pay.`;
}

function clientNextStep({
  accepted,
  paid,
  checkoutUrl,
  needsRefundNumber,
  haveConvoReceipt,
  creator: { name },
}: Interaction): string {
  if (!paid && needsRefundNumber) return 'Name a number for refunds, then pay.';
  if (!paid && !checkoutUrl) return 'The payment is being prepared. It takes a moment.';
  if (!paid)
    return accepted ? `${name} accepted. Pay to open the chat.` : `Pay to open the chat with ${name}.`;
  if (!accepted) return `Waiting for ${name} to accept.`;
  return haveConvoReceipt
    ? 'Meet, then press ‘Plan is fulfilled’ in the chat.'
    : `Open the chat to agree with ${name} on the details.`;
}
