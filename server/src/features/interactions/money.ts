import { nowMs } from '@tara/contract/clock';
import type { MoneyProgress, MoneyState } from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import { mobileNumber } from '@tara/contract/members/profiles';
import { isWindowTooShort } from '@tara/contract/money/payment-methods';
import { pesos } from '@tara/contract/plans/plans';
import { heldBackStates, isHeldBack } from './held-back.ts';
import type { interactionMoney, interactions } from './tables.ts';

type Request = Pick<
  typeof interactions.$inferSelect,
  | 'priceCentavos'
  | 'createdAt'
  | 'paidAt'
  | 'adminSetDoneAt'
  | 'payoutWaitsUntil'
  | 'paidOutAt'
  | 'cancelledAt'
  | 'refundedAt'
  | 'releasedCentavos'
  | 'frozenAt'
  | 'chargedBackAt'
>;

/** How far the payout and the refund are (`interaction_money`). */
export type ProgressRow = Omit<typeof interactionMoney.$inferSelect, 'interactionId'>;

interface Reading {
  request: Request;
  progress: ProgressRow;
  /** Who reads it: only the receiver of money and admins see why it was refused. */
  party: Party;
  now?: number;
}

/** Where the client's money is. The later moment wins: a paid request that was cancelled is on its way back. */
export function moneyState({ request, progress, party, now = nowMs() }: Reading): MoneyState {
  const [state, at] = latest(request);
  const payout = payoutProgress(request, progress, party, now);
  return {
    state,
    amount: pesos(request.priceCentavos),
    takenBack: pesos(progress.takenBackCentavos),
    at: at?.toISOString() ?? null,
    payout,
    refund: refundProgress(request, progress, party),
  };
}

function latest(request: Request): [MoneyState['state'], Date | null] {
  if (request.priceCentavos === 0) return ['free', request.paidAt];
  if (request.chargedBackAt) return ['charged_back', request.chargedBackAt];
  // In a split each side has a part.
  if (request.refundedAt && request.releasedCentavos === 0) return ['refunded', request.refundedAt];
  if (request.paidAt && request.cancelledAt) return ['refunding', request.paidAt];
  if (request.paidOutAt) return ['paid_out', request.paidOutAt];
  if (request.adminSetDoneAt) return ['owed', request.adminSetDoneAt];
  if (request.paidAt) return ['held', request.paidAt];
  return ['unpaid', request.createdAt];
}

function payoutProgress(
  { frozenAt, payoutWaitsUntil }: Request,
  { payoutCentavos, payoutState, payoutProblem, creatorNumber }: ProgressRow,
  party: Party,
  now: number,
): MoneyProgress | null {
  if (payoutCentavos === null) return null;
  const isDelayed = payoutWaitsUntil !== null && payoutWaitsUntil.getTime() > now;
  const state = (): MoneyProgress['state'] => {
    if (payoutState !== 'owed') return payoutState ?? 'waiting';
    if (frozenAt !== null) return 'frozen';
    if (mobileNumber(creatorNumber) === null) return 'needs_number';
    if (isDelayed) return 'delayed';
    return unsentState(payoutProblem);
  };
  return {
    state: state(),
    amount: pesos(payoutCentavos),
    way: 'transfer',
    until: isDelayed && party !== 'client' && state() === 'delayed' ? payoutWaitsUntil.toISOString() : null,
    problem: problemFor(party, 'creator', payoutProblem),
  };
}

function refundProgress(
  { frozenAt }: Request,
  { refundCentavos, refundWay, refundState, refundProblem, awaitsNumber }: ProgressRow,
  party: Party,
): MoneyProgress | null {
  if (refundCentavos === null) return null;
  const state = (): MoneyProgress['state'] => {
    if (refundState !== 'owed') return refundState ?? 'waiting';
    if (frozenAt !== null) return 'frozen';
    if (refundWay === 'transfer' && awaitsNumber) return 'needs_number';
    return unsentState(refundProblem);
  };
  return {
    state: state(),
    amount: pesos(refundCentavos),
    way: refundWay ?? 'provider',
    until: null,
    problem: problemFor(party, 'client', refundProblem),
  };
}

/** The state of what is owed and waits for nobody else, by why it was not sent. */
function unsentState(problem: string | null): MoneyProgress['state'] {
  if (problem === null) return 'waiting';
  return heldBackStates.get(problem) ?? 'refused';
}

/** Why money was not sent, as admins and its receiver see it. What holds a payment back only admins see: its receiver can do nothing about it. */
const problemFor = (party: Party, receiver: Party, problem: string | null) =>
  party === 'other' || (party === receiver && !isHeldBack(problem)) ? problem : null;

type Payable = Pick<
  typeof interactions.$inferSelect,
  'priceCentavos' | 'paidAt' | 'cancelledAt' | 'refundNumber' | 'refundWindowDays' | 'dayStartsAt' | 'meetsAt'
>;

/** Whether the client has to name a number before paying, so that the way back of the money is known. */
export const needsNumberToPay = (request: Payable) =>
  request.priceCentavos > 0 &&
  request.paidAt === null &&
  request.cancelledAt === null &&
  request.refundNumber === null &&
  isWindowTooShort(request.refundWindowDays, request.dayStartsAt ?? request.meetsAt);
