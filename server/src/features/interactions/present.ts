import { type Interaction, type MeetingProposal, partyOf } from '@tara/contract/interactions/interactions';
import type { Stage } from '@tara/contract/interactions/stages';
import { steps } from '@tara/contract/interactions/steps';
import type { Person } from '@tara/contract/members/profiles';
import type { DatedStep, DatedStepName } from '@tara/contract/money/confirmations';
import { pesos } from '@tara/contract/plans/plans';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentHiddenPerson, presentPerson } from '../profiles/index.ts';
import { possibilities } from './can.ts';
import { moneyState, needsNumberToPay } from './money.ts';
import { interactionCan, isPlanChatReadable } from './policy.ts';
import type { InteractionRow } from './read.ts';

/** One of the two, by the name that an ended request stored. */
const presentParty = (
  row: PersonRow,
  picture: PictureRow | null,
  { hiddenName, endName }: { hiddenName: string | null; endName: string | null },
): Person =>
  hiddenName === null
    ? presentPerson({ ...row, name: endName ?? row.name }, picture)
    : presentHiddenPerson(endName ?? hiddenName);

const canBeProposed: readonly Stage[] = steps.proposeDay.from;

/** The proposal that waits for an answer; one that was left open when the request ended waits for none. */
const presentProposal = ({ request, proposal }: InteractionRow): MeetingProposal | null =>
  proposal && canBeProposed.includes(request.stage)
    ? {
        id: proposal.id,
        by: proposal.proposedBy === request.clientId ? 'client' : 'creator',
        meetsAt: proposal.meetsAt.toISOString(),
        meetsUntil: proposal.meetsUntil.toISOString(),
        place: proposal.place,
        createdAt: proposal.createdAt.toISOString(),
      }
    : null;

/** What an admin decided about a request, or that the meeting took place; a part of its price to each is a split. */
function decision({
  request,
  links,
}: Pick<InteractionRow, 'request' | 'links'>): [DatedStepName, Date | null] {
  if (!links.isDecided) return ['confirmed', request.adminSetDoneAt];
  if (request.adminSetDoneAt === null) return ['decidedRefund', request.cancelledAt];
  const isWhole = request.releasedCentavos === request.priceCentavos;
  return [isWhole ? 'decidedRelease' : 'decidedSplit', request.adminSetDoneAt];
}

/** What happened to a request when, in this order, for admins and the card issuer. */
export function presentSteps(row: Pick<InteractionRow, 'request' | 'links'>): DatedStep[] {
  const { request } = row;
  const { dayStartsAt, userSetDoneAt } = request;
  const decided = decision(row);
  // A decision that releases money calls the plan fulfilled as well, which the client did not.
  const isByDecision = userSetDoneAt?.getTime() === request.adminSetDoneAt?.getTime();
  // A plan that was fulfilled before the day that would have counted never had that day.
  const countedDay =
    dayStartsAt !== null && userSetDoneAt !== null && userSetDoneAt < dayStartsAt ? null : dayStartsAt;
  const moments: [DatedStepName, Date | null][] = [
    ['requested', request.createdAt],
    ['paid', request.priceCentavos === 0 ? null : request.paidAt],
    ['accepted', request.acceptedAt],
    request.meetsAt ? ['day', request.meetsAt] : ['dayWithoutAgreement', countedDay],
    ['creatorMet', request.creatorMetAt],
    ['fulfilled', isByDecision ? null : userSetDoneAt],
    ['disputed', request.disputedAt],
    ['frozen', request.frozenAt],
    decided,
    ['cancelled', decided[0] === 'decidedRefund' ? null : request.cancelledAt],
    ['paidOut', request.paidOutAt],
    ['refunded', request.refundedAt],
  ];
  return moments
    .flatMap(([step, moment]) => (moment === null ? [] : { step, at: moment.toISOString() }))
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** A request as the reader, one of its parties or an admin, sees it. A party that is hidden from the reader is a name. */
export function presentInteraction(row: InteractionRow, readerAccountId: string): Interaction {
  const { request, client, creator } = row;
  const accounts = { clientAccountId: client.accountId, creatorAccountId: creator.accountId };
  const party = partyOf(accounts, readerAccountId);
  const { links } = row;
  const { blocked } = row.state;
  const hiddenClientName = party === 'creator' ? links.hiddenClientName : null;
  const hiddenCreatorName = party === 'client' ? links.hiddenCreatorName : null;
  const paid = request.paidAt !== null;
  const cancelled = request.cancelledAt !== null;
  const needsNumber = needsNumberToPay(request);
  return {
    id: request.id,
    planId: request.planId,
    planTitle: request.planTitle,
    cover:
      hiddenCreatorName === null && row.cover !== null
        ? presentPicture(row.cover)
        : initialsPicture(request.planTitle),
    whoSentReq: presentParty(client, row.clientPicture, {
      hiddenName: hiddenClientName,
      endName: request.clientName,
    }),
    creator: presentParty(creator, row.creatorPicture, {
      hiddenName: hiddenCreatorName,
      endName: request.creatorName,
    }),
    clientAccountId: hiddenClientName === null ? accounts.clientAccountId : '',
    creatorAccountId: hiddenCreatorName === null ? accounts.creatorAccountId : '',
    price: pesos(request.priceCentavos),
    paid,
    paymentId: request.paymentId,
    referenceNumber: request.referenceNumber,
    checkoutUrl:
      interactionCan.seeCheckout({ accountId: readerAccountId }, { ...accounts, paid, cancelled }) &&
      !needsNumber
        ? request.checkoutUrl
        : null,
    needsRefundNumber: party === 'client' && (needsNumber || row.progress.awaitsNumber),
    refundNumber: party === 'client' ? request.refundNumber : null,
    platformFeeBasisPoints: request.platformFeeBasisPoints,
    webhookId: request.webhookId,
    conversationReceipt:
      party === 'other' || isPlanChatReadable(request.stage, blocked) ? links.receiptId : null,
    haveConvoReceipt: row.state.haveConvoReceipt,
    accepted: request.acceptedAt !== null,
    userSetDone: request.userSetDoneAt !== null,
    adminSetDone: request.adminSetDoneAt !== null,
    completed: request.completedAt !== null,
    cancelled,
    stage: request.stage,
    disputed: request.disputedAt !== null,
    frozen: row.state.frozen,
    decided: links.isDecided,
    meetsAt: request.meetsAt?.toISOString() ?? null,
    meetsUntil: request.meetsUntil?.toISOString() ?? null,
    place: request.place,
    proposal: presentProposal(row),
    dayStartsAt: request.dayStartsAt?.toISOString() ?? null,
    payUntil: request.payUntil?.toISOString() ?? null,
    fulfilledAt: request.userSetDoneAt?.toISOString() ?? null,
    cancelReason: request.cancelReason,
    cancelNote: request.cancelNote,
    ...possibilities(row, party),
    creatorMet: row.state.creatorMet,
    cardDown: row.state.cardDown,
    reviewSubmitted: row.state.reviewSubmitted,
    reviewId: blocked && party !== 'other' ? null : links.reviewId,
    blocked,
    money: moneyState({ request, progress: row.progress, party }),
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  };
}
