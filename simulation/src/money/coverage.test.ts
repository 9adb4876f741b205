import type { Call } from '@tara/contract/calls';
import { interactions } from '@tara/contract/interactions/interactions';
import type { steps } from '@tara/contract/interactions/steps';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin } from '@tara/contract/money/confirmations';
import { disputes, requestCases } from '@tara/contract/money/disputes';
import { reviews } from '@tara/contract/plans/reviews';
import { ALL_FAULTS } from '@tara/sandbox/provider';
import { tasks } from '@tara/server/platform/tasks';
import { expect, test } from 'vitest';
import { money } from './subject.ts';
import { writerOf, writingJob } from './writers.ts';

const { deed: deeds = [], fault: faults = [], job: jobs = [] } = money.mustHappen;

/** Calls that write no request that is there, or that only deeds of their own lead to. */
const alone: Record<string, string> = {
  'requestCases.planChat': 'an admin reads the chat, which is written to the audit log',
  'interactions.createInteraction': 'the request is not there before',
  'adminMoney.assignDispute': 'of a dispute whose payment nobody knows: the deed assignDispute',
  'adminMoney.decideSending': 'of an order that had no answer for a day: the deed decideSending',
  'adminMoney.settleManualTransfer': 'of a transfer that was not recorded: the deed settleByHand',
  ...Object.fromEntries(
    ['update', 'like', 'unlike', 'updateLikes', 'createComment', 'deleteComment'].map((name) => [
      `reviews.${name}`,
      'a review that is there, of which money knows nothing',
    ]),
  ),
};

/** The deed of each step of a request. */
const stepDeeds: Record<keyof typeof steps, string | null> = {
  ...{ pay: 'pay', accept: 'accept', proposeDay: 'propose', withdraw: 'cancel', decline: 'cancel' },
  ...{ cancel: 'cancel', putCardDown: 'putCardDown', fulfil: 'fulfil', sayMet: 'sayMet', dispute: 'dispute' },
  ...{ answerDispute: 'answerDispute', decideDispute: 'decide', decideNoAnswer: 'decide', refund: 'refund' },
  ...{ confirm: 'confirm', review: 'review' },
  // Chats: no money follows from them.
  ...{ openReceipt: null, sendMessage: null },
};

/** Faults of the sandbox that no life has. */
const unmetFaults = {
  hang: 'a call that is not answered ends by the time limit of the real network, which is not simulated',
};

const writes = Object.entries({ interactions, adminMoney, admin, disputes, requestCases, reviews }).flatMap(
  ([table, calls]) =>
    Object.entries<Call>(calls)
      .filter(([, call]) => call.method !== 'GET')
      .map(([name, call]) => [`${table}.${name}`, call] as const),
);

test.for(writes)('%s is met beside the others, or has a reason', ([name, call]) => {
  expect(writerOf(call) !== undefined, name).toBe(!(name in alone));
});

test('every call with a reason exists', () => {
  expect(Object.keys(alone).filter((name) => !writes.some(([known]) => known === name))).toEqual([]);
});

test.for(Object.entries(stepDeeds))('the step %s has its deed', ([, deed]) => {
  if (deed !== null) expect(deeds).toContain(deed);
});

test('every job of requests and their money has to be done, and writes beside the others but for two', () => {
  const moneyJobs = Object.values(tasks)
    .map(({ name }) => name)
    .filter((name) => /^(payments|disputes|interactions)\./.test(name));
  expect(moneyJobs.filter((name) => !jobs.includes(name))).toEqual([tasks.checkLedger.name]);
  // They only look.
  expect(moneyJobs.filter((name) => writingJob(name) === undefined)).toEqual([
    tasks.checkLedger.name,
    tasks.watchMoney.name,
  ]);
});

test('every fault of the provider has to be met, or has a reason', () => {
  expect(ALL_FAULTS.filter((kind) => !faults.includes(kind))).toEqual(Object.keys(unmetFaults));
});
