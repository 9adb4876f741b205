import type { Call } from '@tara/contract/calls';
import type { ProblemType } from '@tara/contract/problems';
import type { z } from 'zod';
import type { Fixture } from './fixture.ts';
import type { SdkUser, Service } from './sdks.ts';

/** What a case proves: that the call succeeds, or that it is refused with an error of a type. */
export type Outcome = 'success' | (string & {});

/** Makes the call of a row through the SDK of the user. */
export type Invoke<Reply = unknown> = (user: SdkUser, ...args: unknown[]) => Promise<Reply>;

export interface Case<Reply = unknown> {
  outcome: Outcome;
  /** How it is provoked. */
  how: string;
  /** A parameter without which it cannot be provoked: an SDK that does not have it leaves the case out. */
  parameter?: string;
  /**
   * Prepares the state and makes the call, last. The call has to fail with the type of `outcome`; of a success the reply
   * has already the shape of the contract, and `run` throws when it says something else than it should.
   */
  run(fixture: Fixture, invoke: Invoke<Reply>): Promise<unknown>;
}

/** A call of §7 with its cases. */
export interface SdkCall {
  /** Its row of the specification. */
  row: string;
  /** `POST /account/verification`, as §7 names it. */
  name: string;
  service: Service;
  /** Names of its method in the generations of SDKs, the newest first. */
  methods: readonly string[];
  /** Its call of the contract; null for realtime. */
  call: Call | null;
  cases: readonly Case[];
}

interface SdkCallOptions<C extends Call> {
  row: string;
  methods: readonly string[];
  /** Valid arguments; empty when the call needs none. */
  args?: readonly unknown[];
  cases: readonly Case<z.output<C['reply']>>[];
}

/** Callers whom a call refuses by its contract alone. */
const refusedCallers: readonly {
  outcome: ProblemType;
  how: string;
  isRefused(call: Call): boolean;
  caller(fixture: Fixture): Promise<SdkUser>;
}[] = [
  {
    outcome: 'general_unauthorized_scope',
    how: 'nobody is signed in',
    isRefused: ({ access }) => access !== 'anyone',
    caller: async (fixture) => fixture.guest(),
  },
  {
    outcome: 'user_email_unverified',
    how: 'a session without a confirmed email',
    isRefused: ({ access }) => access === 'member',
    caller: async (fixture) => (await fixture.unconfirmedMember()).user,
  },
  {
    outcome: 'account_leaving',
    how: 'a member whose account is about to be deleted',
    isRefused: ({ access }) => access === 'member',
    caller: async (fixture) => (await fixture.leavingMember()).user,
  },
  {
    outcome: 'user_suspended',
    how: 'a suspended member',
    isRefused: ({ access, whileSuspended }) => access !== 'anyone' && !whileSuspended,
    caller: async (fixture) => (await fixture.suspendedMember()).user,
  },
];

/** The errors of a call that follow from who may make it. */
export const accessErrors = (call: Call): ProblemType[] =>
  refusedCallers.filter(({ isRefused }) => isRefused(call)).map(({ outcome }) => outcome);

/** Callers whom a call of documents refuses by what it does: documents are open to accounts, and each collection says more. */
export const refusedMembers = (outcomes: readonly ProblemType[], ...args: unknown[]): Case[] =>
  refusedCallers
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ outcome, how, caller }) => ({
      outcome,
      how,
      run: async (fixture, invoke) => invoke(await caller(fixture), ...args),
    }));

/** Refusals that follow from the contract: of callers, and of a call without its arguments, which no SDK sends. */
function contractCases(call: Call, args: readonly unknown[]): Case[] {
  const empty: Case = {
    outcome: 'Missing required parameter',
    how: 'no arguments, which the SDK itself refuses',
    run: async (fixture, invoke) => invoke((await fixture.member()).user),
  };
  return [...refusedMembers(accessErrors(call), ...args), ...(args.length === 0 ? [] : [empty])];
}

const bind =
  (service: Service, base: RegExp) =>
  <C extends Call>(call: C, { row, methods, args = [], cases }: SdkCallOptions<C>): SdkCall => ({
    row,
    name: `${call.method} ${call.path.replace(base, '').replace(/:(\w+)/g, '{$1}')}`,
    service,
    methods,
    call,
    // A case takes what its own call answers.
    cases: [...(cases as unknown as readonly Case[]), ...contractCases(call, args)],
  });

export const accountCall = bind('account', /^\/v1/);
export const databaseCall = bind('databases', /^\/v1/);
export const storageCall = bind('storage', /^\/v1/);

/** A subscription of the socket, which has no call of the contract. */
export const subscription = (row: string, name: string, cases: readonly Case[]): SdkCall => ({
  row,
  name,
  service: 'client',
  methods: ['subscribe'],
  call: null,
  cases,
});
