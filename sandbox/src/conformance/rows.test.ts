import { expect, it } from 'vitest';
import type { ThirdPartyClient } from './clients.ts';
import { findOwnBugFault, findRefusalFault, type Outcome } from './rows.ts';
import type { Exchange } from './sandbox.ts';

const fault = { code: 'parameter_below_minimum', detail: 'Too small.', source: { pointer: 'amount' } };
const call = 'POST /v1/links';
const refusedOnce: Exchange[] = [{ call, status: 400, reply: { errors: [fault] } }];

/** Gives its caller the status and the first error, as `fault` is written here. */
const client: ThirdPartyClient = {
  name: 'client',
  attempts: {},
  ownBugs: {},
  readRefusal: (error) => error as ReturnType<ThirdPartyClient['readRefusal']>,
};
const faults = [{ code: fault.code, detail: fault.detail, pointer: 'amount' }];
const outcome = (change: Partial<Outcome>): Outcome => ({
  client,
  error: { faults, status: 400 },
  exchanges: refusedOnce,
  ...change,
});
const wanted = { status: 400, code: fault.code, pointer: 'amount' };

it('takes the provider’s own error for a refusal, with its status or without', () => {
  expect(findRefusalFault(outcome({}), 'POST /links', wanted)).toBeNull();
  expect(findRefusalFault(outcome({ error: { faults } }), 'POST /links', wanted)).toBeNull();
});

it.for([
  ['no error', { error: undefined, result: {} }, '{} in place of an error'],
  ['another status of the reply', { exchanges: [{ call, status: 422, reply: {} }] }, 'POST /v1/links 422'],
  ['another call', { exchanges: [{ call: 'GET /v1/links', status: 400, reply: {} }] }, 'GET /v1/links 400'],
  ['no request', { exchanges: [] }, 'no request'],
  ['two requests', { exchanges: [...refusedOnce, ...refusedOnce] }, 'POST /v1/links 400, POST /v1/links 400'],
  ['another detail', { error: { faults: [{ ...faults[0], detail: 'No.' }] } }, 'No.'],
  ['no detail', { error: { faults: [] } }, '[] in place of the provider'],
  ['another status in the error', { error: { faults, status: 404 } }, '404 in place of 400'],
] as [string, Partial<Outcome>, string][])('refuses %s in place of a refusal', ([, change, reason]) => {
  expect(findRefusalFault(outcome(change), 'POST /links', wanted)).toContain(reason);
});

it.for([
  ['code', { ...wanted, code: 'parameter_required' }],
  ['attribute', { ...wanted, pointer: 'currency' }],
] as const)('refuses another %s of the provider’s error', ([, other]) => {
  expect(findRefusalFault(outcome({}), 'POST /links', other)).toContain('in place of');
});

const bug = { why: 'forgets the answer', error: /^answer is not defined$/, status: 200 };
const forgets = {
  error: new Error('answer is not defined'),
  exchanges: [{ call, status: 200, reply: {} }],
};

it('takes the named error of a client for its own bug', () => {
  expect(findOwnBugFault(outcome(forgets), bug)).toBeNull();
});

it.for([
  ['a result', { error: undefined, result: {} }, '{} in place of'],
  ['another error', { error: new Error('x is not defined') }, 'x is not defined in place of'],
  ['another status', { exchanges: refusedOnce }, '400 in place of 200'],
  ['no request', { exchanges: [] }, 'no reply in place of 200'],
] as [string, Partial<Outcome>, string][])(
  'refuses %s in place of a client’s own bug',
  ([, change, reason]) => {
    expect(findOwnBugFault(outcome({ ...forgets, ...change }), bug)).toContain(reason);
  },
);
