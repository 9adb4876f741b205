import type { Call } from '@tara/contract/calls';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { type Stage, stages } from '@tara/contract/interactions/stages';
import { steps } from '@tara/contract/interactions/steps';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin } from '@tara/contract/money/confirmations';
import { disputes, requestCases } from '@tara/contract/money/disputes';
import { reviews } from '@tara/contract/plans/reviews';
import { tasks } from '@tara/server/platform/tasks';

/** Something that writes to a request. */
export interface Writer {
  name: string;
  /** The stages from which it may. */
  from: readonly Stage[];
  /** Further stages from which it may where a second payment of the request goes back. */
  seldomFrom?: readonly Stage[];
  /** The stages to which it leads. */
  to?: readonly Stage[];
}

/** Disbursements of the own payment begin then, the refund of a second one before. */
const over = ['completed', 'cancelled'] as const;
const paid = ['paid', 'ready', 'fulfilled', 'disputed'] as const;
const disbursing = { from: over, seldomFrom: paid };

/** The calls that write to a request. */
const writingCalls: readonly (Writer & { call: Call })[] = [
  { name: 'accept', call: calls.acceptRequest, from: steps.accept.from, to: ['accepted', 'ready'] },
  {
    name: 'end',
    call: calls.cancelRequest,
    from: [...new Set([...steps.withdraw.from, ...steps.decline.from, ...steps.cancel.from])],
    to: ['cancelled'],
  },
  { name: 'propose', call: calls.proposeDay, from: steps.proposeDay.from },
  { name: 'agree', call: calls.answerProposal, from: steps.proposeDay.from },
  { name: 'say met', call: calls.sayMet, from: steps.sayMet.from },
  { name: 'put card down', call: calls.cardDown, from: steps.putCardDown.from },
  { name: 'fulfil', call: calls.markDone, from: steps.fulfil.from, to: ['fulfilled'] },
  // Of a request that is over it may find a second payment.
  { name: 'check', call: calls.checkPayment, from: stages },
  { name: 'name a number', call: calls.setRefundNumber, from: stages },
  { name: 'dispute', call: disputes.open, from: steps.dispute.from, to: ['disputed'] },
  { name: 'answer', call: disputes.answer, from: steps.answerDispute.from },
  {
    name: 'decide',
    call: requestCases.decideRequest,
    from: [...steps.decideDispute.from, ...steps.decideNoAnswer.from],
    to: over,
  },
  { name: 'confirm', call: admin.confirmPlans, from: steps.confirm.from, to: ['completed'] },
  { name: 'refund', call: adminMoney.refundRequest, from: steps.refund.from, to: ['cancelled'] },
  { name: 'review', call: reviews.create, from: steps.review.from },
  { name: 'retry', call: adminMoney.retryMoney, ...disbursing },
  { name: 'record', call: adminMoney.recordPayout, ...disbursing },
];

const payable = ['requested', 'accepted'] as const;

/** The jobs that write to a request. */
const writingJobs: readonly Writer[] = [
  { name: tasks.createPaymentLink.name, from: payable },
  { name: tasks.archivePaymentLink.name, from: ['cancelled'] },
  { name: tasks.workProviderEvent.name, from: stages },
  { name: tasks.disburse.name, ...disbursing },
  { name: tasks.profilePayouts.name, from: stages },
  { name: tasks.workDeadlines.name, from: stages },
  { name: tasks.notifyUnanswered.name, from: stages },
  { name: tasks.reconcilePayments.name, from: stages },
];

const writers: readonly Writer[] = [...writingCalls, ...writingJobs];

/** What a call writes to a request; undefined for one that writes to none. */
export const writerOf = (call: Call): Writer | undefined => writingCalls.find((row) => row.call === call);
/** The same of a job. */
export const writingJob = (task: string): Writer | undefined => writingJobs.find(({ name }) => name === task);

/** Whether it may write to a request of this stage. */
export const mayWrite = (name: string, stage: Stage): boolean =>
  writers.some((writer) => writer.name === name && writer.from.includes(stage));

/** How two that write to one request at once are counted. */
export const pairOf = (one: Writer, other: Writer) => [one.name, other.name].sort().join(' and ');

const meet = (some: readonly Stage[] = [], others: readonly Stage[] = []) =>
  some.some((stage) => others.includes(stage));

const everyStage = ({ from, seldomFrom = [] }: Writer) => [...from, ...seldomFrom];

/** Each pair of two different writers. */
const pairs = writers.flatMap((one, index) =>
  writers.slice(index + 1).map((other) => ({
    ...{ name: pairOf(one, other), one, other },
    /** Whether both may write from one stage. */
    isTogether: meet(one.from, other.from),
    /** Whether both may where a second payment of the request goes back. */
    isSeldom: meet(everyStage(one), everyStage(other)),
    /** Whether one may write where the other has led. */
    isInTurn: meet(one.to, other.from) || meet(other.to, one.from),
  })),
);

const reasons = (some: typeof pairs) =>
  new Map(
    some.map(({ name, one, other }) => [
      name,
      `${one.name} is from ${one.from.join(', ')}; ${other.name} from ${other.from.join(', ')}`,
    ]),
  );

/** Two that may write at once, and the stages that let both. */
export interface Meeting {
  names: readonly string[];
  stages: readonly Stage[];
}

/** What writes what the provider says. */
export const eventWriter = tasks.workProviderEvent.name;

/** Each two that a stage lets both write. */
export const meetings: readonly Meeting[] = pairs
  .filter(({ isTogether }) => isTogether)
  .map(({ one, other }) => ({
    names: [one.name, other.name],
    stages: one.from.filter((stage) => other.from.includes(stage)),
  }));

/** The pairs that have to be met. */
export const pairNames = pairs.filter(({ isTogether }) => isTogether).map(({ name }) => name);

/** The pairs of which one leads to the stage of the other, with their stages: no stage has both. */
export const pairsInTurn = reasons(pairs.filter(({ isTogether, isInTurn }) => !isTogether && isInTurn));

const apart = pairs.filter(({ isTogether, isInTurn }) => !isTogether && !isInTurn);

/** The pairs that meet where a second payment of the request goes back alone, with their stages. */
export const seldomPairs = reasons(apart.filter(({ isSeldom }) => isSeldom));

/** The pairs that the stages exclude, with the reason. */
export const excludedPairs = reasons(apart.filter(({ isSeldom }) => !isSeldom));
