import { expect, it } from 'vitest';
import {
  endStep,
  interactionLists,
  listOf,
  openStages,
  type Party,
  type Stage,
  type StepName,
  stageOf,
  stages,
} from './stages.ts';
import { type StepFlag, steps } from './steps.ts';
import { allVerdicts, type StepRecord, verdictOf } from './verdicts.ts';

const parties = ['client', 'creator', 'other'] as const;

/** A request of which nothing but the stage stands in the way of a step, but that its chat is open or not. */
const usual: Omit<StepRecord, 'stage'> = {
  haveConvoReceipt: false,
  cardDown: false,
  reviewSubmitted: false,
  timePassed: false,
  dayReached: true,
  weekPassed: true,
  withdrawalClosed: false,
  objectionClosed: false,
  frozen: false,
  free: false,
  creatorMet: false,
  disputeAnswered: false,
  blocked: false,
};

/** Who may take each step (§4, §6, decisions §1), in which stages, and which flag of a usual request forbids it. */
const expected: Record<StepName, { by: Party[]; from: readonly Stage[]; needs: StepFlag[] }> = {
  pay: { by: ['client'], from: ['requested', 'accepted'], needs: ['timePassed'] },
  accept: { by: ['creator'], from: ['requested', 'paid'], needs: ['timePassed'] },
  proposeDay: { by: ['client', 'creator'], from: ['requested', 'paid', 'accepted', 'ready'], needs: [] },
  withdraw: {
    by: ['client'],
    from: ['requested', 'paid', 'accepted', 'ready'],
    needs: ['withdrawalClosed', 'frozen'],
  },
  decline: { by: ['creator'], from: ['requested', 'paid'], needs: ['frozen'] },
  cancel: { by: ['creator'], from: ['accepted', 'ready'], needs: ['frozen'] },
  openReceipt: {
    by: ['client', 'creator'],
    from: ['paid', 'ready', 'fulfilled', 'disputed', 'completed'],
    needs: ['haveConvoReceipt'],
  },
  sendMessage: {
    by: ['client', 'creator'],
    from: ['paid', 'ready', 'fulfilled', 'disputed'],
    needs: ['haveConvoReceipt', 'blocked'],
  },
  putCardDown: {
    by: ['client', 'creator'],
    from: ['requested', 'paid', 'accepted', 'ready', 'fulfilled', 'disputed'],
    needs: ['cardDown'],
  },
  fulfil: { by: ['client'], from: ['ready'], needs: [] },
  sayMet: { by: ['creator'], from: ['ready'], needs: ['dayReached', 'creatorMet'] },
  dispute: {
    by: ['client'],
    from: ['paid', 'ready', 'fulfilled'],
    needs: ['free', 'objectionClosed', 'frozen'],
  },
  answerDispute: { by: ['creator'], from: ['disputed'], needs: ['disputeAnswered'] },
  decideDispute: { by: ['other'], from: ['disputed'], needs: ['frozen'] },
  refund: { by: ['other'], from: ['paid', 'ready', 'fulfilled'], needs: ['free', 'frozen'] },
  decideNoAnswer: { by: ['other'], from: ['ready'], needs: ['free', 'weekPassed', 'frozen'] },
  confirm: { by: ['other'], from: ['fulfilled'], needs: ['frozen'] },
  review: { by: ['client'], from: ['completed'], needs: ['reviewSubmitted'] },
};

/** The request in this stage of which nothing forbids the step. */
const requestFor = (name: StepName, stage: Stage): StepRecord => ({
  ...usual,
  stage,
  haveConvoReceipt: name === 'sendMessage',
});

const names = Object.keys(expected) as StepName[];

it('no step is without its parties, stages and conditions here', () => {
  expect(names.sort()).toEqual(Object.keys(steps).sort());
});

it.each(names)('nobody but its parties takes the step %s, and from no other stage', (name) => {
  const { by, from } = expected[name];
  for (const stage of stages) {
    for (const party of parties) {
      const verdict = verdictOf(name, requestFor(name, stage), party);
      const may = by.includes(party) && from.includes(stage);
      expect(`${stage}, ${party}: ${verdict === true}`).toBe(`${stage}, ${party}: ${may}`);
      // A refusal says why.
      if (!may) expect(verdict).toMatch(/^[A-Z].{5,}/);
    }
  }
});

it.each(parties)('the verdicts of the %s hold each step', (party) => {
  const record = requestFor('fulfil', 'ready');
  const verdicts = names.map((name) => [name, verdictOf(name, record, party)]);
  expect(allVerdicts(record, party)).toEqual(Object.fromEntries(verdicts));
});

it.each(names)('the step %s is refused for each of its conditions alone, and for no other', (name) => {
  const { by, from, needs } = expected[name];
  const [party] = by;
  for (const stage of from) {
    const request = requestFor(name, stage);
    const refused = (Object.keys(usual) as StepFlag[]).filter(
      (flag) => verdictOf(name, { ...request, [flag]: !request[flag] }, party as Party) !== true,
    );
    expect(refused.sort()).toEqual([...needs].sort());
  }
});

/** Why a step is not taken from a stage, where that is not the usual reason. */
const reasons: Record<string, Record<string, readonly Stage[]>> = {
  pay: { 'This request is already paid.': ['paid', 'ready', 'fulfilled'] },
  accept: { 'This request is already accepted.': ['accepted', 'ready', 'fulfilled'] },
  decline: { 'This request is already accepted.': ['accepted', 'ready'] },
  cancel: { 'The creator has not accepted yet.': ['requested', 'paid'] },
  openReceipt: { 'The chat opens once the request is paid.': ['requested', 'accepted'] },
  sendMessage: { 'The chat is not open yet.': ['requested', 'accepted'] },
  fulfil: { 'You already marked the plan as fulfilled.': ['fulfilled'] },
  sayMet: { 'You have not accepted yet.': ['paid'] },
  answerDispute: {
    'There is no open dispute.': ['requested', 'paid', 'accepted', 'ready', 'fulfilled'],
  },
  decideDispute: {
    'There is no open dispute.': ['requested', 'paid', 'accepted', 'ready', 'fulfilled'],
  },
  confirm: {
    'This plan is already confirmed.': ['completed'],
    'The client has not marked the plan as fulfilled yet.': ['requested', 'paid', 'accepted', 'ready'],
  },
  review: { 'Receipt is not confirm yet by admin': [...openStages, 'cancelled'] },
};

it.each(
  Object.entries(reasons).flatMap(([name, byReason]) =>
    Object.entries(byReason).flatMap(([reason, from]) =>
      from.map((stage) => [name as StepName, stage, reason] as const),
    ),
  ),
)('the step %s from %s is refused with: %s', (name, stage, reason) => {
  const [party] = expected[name].by;
  expect(verdictOf(name, requestFor(name, stage), party as Party)).toBe(reason);
});

it.each([
  ['pay', 'cancelled', 'creator', 'This request was cancelled.'],
  ['pay', 'requested', 'creator', 'Only the client pays.'],
  ['accept', 'accepted', 'client', 'Only the creator accepts.'],
  ['fulfil', 'requested', 'client', 'The request is not paid yet.'],
  ['fulfil', 'paid', 'client', 'The creator has not accepted yet.'],
] as const)('the step %s from %s by the %s is refused with: %s', (name, stage, party, reason) => {
  expect(verdictOf(name, requestFor(name, stage), party)).toBe(reason);
});

it.each([
  ['requested', {}],
  ['paid', { paid: true }],
  ['accepted', { accepted: true }],
  ['ready', { paid: true, accepted: true }],
  ['fulfilled', { paid: true, accepted: true, userSetDone: true }],
  ['disputed', { paid: true, disputed: true }],
  ['completed', { paid: true, accepted: true, userSetDone: true, disputed: true, completed: true }],
  ['cancelled', { paid: true, accepted: true, disputed: true, cancelled: true }],
] as const)('a request is %s with %o', (stage, flags) => {
  const none = { paid: false, accepted: false, userSetDone: false, disputed: false, completed: false };
  expect(stageOf({ ...none, cancelled: false, ...flags })).toBe(stage);
});

it('each stage is in one list of each party, and in none of anybody else’s', () => {
  const lists = (party: Party) => Object.fromEntries(stages.map((stage) => [stage, listOf(stage, party)]));
  const past = { fulfilled: 'history', disputed: 'history', completed: 'history', cancelled: 'history' };
  expect(lists('creator')).toEqual({
    requested: 'friendRequest',
    paid: 'friendRequest',
    accepted: 'earn',
    ready: 'earn',
    ...past,
  });
  expect(lists('client')).toEqual({
    requested: 'yourRequest',
    paid: 'yourRequest',
    accepted: 'expense',
    ready: 'expense',
    ...past,
  });
  expect(new Set(Object.values(lists('other')))).toEqual(new Set([null]));
  // As the server reads them.
  expect(interactionLists).toEqual({
    friendRequest: { side: ['creator'], stages: ['requested', 'paid'] },
    yourRequest: { side: ['client'], stages: ['requested', 'paid'] },
    earn: { side: ['creator'], stages: ['accepted', 'ready'] },
    expense: { side: ['client'], stages: ['accepted', 'ready'] },
    history: { side: ['creator', 'client'], stages: Object.keys(past) },
  });
});

it('a request is ended by withdrawing, declining or cancelling it, by who and when', () => {
  const steps = openStages.map((stage) => [stage, endStep(stage, 'client'), endStep(stage, 'creator')]);
  expect(steps.slice(0, 4)).toEqual([
    ['requested', 'withdraw', 'decline'],
    ['paid', 'withdraw', 'decline'],
    ['accepted', 'withdraw', 'cancel'],
    ['ready', 'withdraw', 'cancel'],
  ]);
});
