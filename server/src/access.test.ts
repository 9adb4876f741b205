import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { serve } from './platform/http/serve.ts';
import { insertMember } from './testing/features/members.ts';
import { serverTest } from './testing/test.ts';

const everyCall = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ name: `${table}.${name}`, call })),
);

/** Every call of the contract, answered by nothing but whether it may be made. */
const test = serverTest((app) => {
  const open = z.unknown();
  for (const { name, call } of everyCall) {
    const stub = { ...call, path: `/api/test/${name}`, params: open, query: open, body: open, reply: open };
    serve(app, { ...stub, status: 200 } as unknown as Call, async () => ({ may: true }));
  }
})
  .extend('unconfirmed', { scope: 'file' }, ({ database }) => insertMember(database, { confirmed: false }))
  .extend('member', { scope: 'file' }, ({ database }) => insertMember(database))
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('ask', ({ server, unconfirmed, member, admin }) => async (name: string, method: string) => {
    const answers: Record<string, unknown> = {};
    for (const [who, caller] of Object.entries({ guest: null, unconfirmed, member, admin })) {
      const answer = await server.request(caller, { method: method as 'GET', url: `/api/test/${name}` });
      answers[who] = answer.statusCode === 200 ? 'may' : answer.json<{ type: string }>().type;
    }
    return answers;
  });

const account = (name: string) => `account.${name}`;
const verification = (name: string) => `verification.${name}`;

const guest = 'general_unauthorized_scope';
const unconfirmed = 'user_email_unverified';
/** What each kind of caller is answered. */
const answers = {
  anyone: { guest: 'may', unconfirmed: 'may', member: 'may', admin: 'may' },
  account: { guest, unconfirmed: 'may', member: 'may', admin: 'may' },
  member: { guest, unconfirmed, member: 'may', admin: 'may' },
  adminLabel: { guest, unconfirmed, member: 'admin_only', admin: 'may' },
  admin: { guest, unconfirmed, member: 'admin_only', admin: 'may' },
};

describe('the server enforces who may make each call', () => {
  test.for(everyCall.map(({ name, call }) => [name, call.access, call.method] as const))(
    '%s: %s',
    async ([name, access, method], { ask }) => {
      expect(await ask(name, method)).toEqual(answers[access]);
    },
  );
});

test('a member with an unconfirmed email reads the own session, and nothing of others (§1-confirmed-email)', async ({
  ask,
}) => {
  expect(await ask('accounts.session', 'GET')).toEqual(answers.account);
  for (const name of ['posts.feed', 'profiles.people', 'plans.byCreator', 'conversations.list'])
    expect(await ask(name, 'GET')).toEqual(answers.member);
});

test('an admin alone lists what waits for a decision, and decides (§6-admin)', async ({ ask }) => {
  for (const name of ['verification.pending', 'admin.awaitingPlans', 'reports.open'])
    expect(await ask(name, 'GET')).toEqual(answers.admin);
  for (const name of ['verification.accept', 'admin.confirmPlans', 'reports.decide'])
    expect(await ask(name, 'POST')).toEqual(answers.admin);
});

test('members browse and request; admins alone verify identities and confirm plans (§1-audience)', async ({
  ask,
}) => {
  expect(await ask('posts.feed', 'GET')).toEqual(answers.member);
  expect(await ask('interactions.createInteraction', 'POST')).toEqual(answers.member);
  for (const name of ['verification.accept', 'verification.decline', 'admin.confirmPlans'])
    expect(await ask(name, 'POST')).toEqual(answers.admin);
});

/** A call that is moved from one of these lists to another is a decision. */
test('no other call is open to guests, or to members with an unconfirmed email; none of admins to members', () => {
  const names = (access: string) =>
    everyCall.filter(({ call }) => call.access === access).map(({ name }) => name);
  expect(names('anyone')).toEqual([
    ...['create', 'createEmailSession', 'createAnonymousSession', 'createMagicUrl', 'confirmMagicUrl'].map(
      account,
    ),
    ...['createPhoneCode', 'confirmPhoneCode', 'confirmPhoneVerification', 'confirmVerification'].map(
      account,
    ),
    ...['createRecovery', 'confirmRecovery'].map(account),
    ...[
      'accountTokens.createEmailCode',
      'accountTokens.createSession',
      'oauth2.startSession',
      'oauth2.startToken',
    ],
    ...['oauth2.callback', 'oauth2.postCallback', 'accounts.signUp', 'accounts.resendVerification'],
    ...[
      'accounts.readConfirmation',
      'accounts.claim',
      'accounts.demo',
      'posts.sharedPicture',
      ...['unsubscribe.open', 'unsubscribe.topics', 'unsubscribe.confirm'],
      'sharedPlans.open',
      ...['publicLinks.invitation', 'publicLinks.plan', 'publicLinks.picture'],
      'payments.webhook',
    ],
  ]);
  // Those of the documents decide by their collection.
  const tables = new Set(names('account').map((name) => name.split('.')[0]));
  expect([...tables]).toEqual([
    'account',
    'accountTokens',
    'oauth2',
    'accounts',
    'personalData',
    'documents',
  ]);
  expect(names('admin').toSorted()).toEqual(
    [
      'secondFactor.renewRecoveryCodes',
      ...['pending', 'pictures', 'picture', 'accept', 'decline', 'correctBirthDate'].map(verification),
      ...['open', 'decide', 'original', 'planChat', 'bannedRequests'].map((name) => `reports.${name}`),
      ...['admin.awaitingPlans', 'admin.confirmPlans', 'adminWork.counts', 'adminWork.moneyOverview'],
      ...['disputes', 'noAnswer', 'chargebacks', 'decideRequest', 'planChat'].map(
        (name) => `requestCases.${name}`,
      ),
      ...['findMoney', 'timeline', 'openCaseFile'].map((name) => `caseFiles.${name}`),
      ...[
        'openMoney',
        'ledgerCheck',
        'refundRequest',
        'retryMoney',
        'recordPayout',
        'settleManualTransfer',
        'decideSending',
      ].map((name) => `adminMoney.${name}`),
      ...['unassignedDisputes', 'assignDispute'].map((name) => `adminMoney.${name}`),
    ].toSorted(),
  );
});
