import { account, accountAliases } from '@tara/contract/accounts/accounts';
import { type Call, readReply } from '@tara/contract/calls';
import { problems } from '@tara/contract/problems';
import type { Case, Invoke, SdkCall } from './cases.ts';
import type { Fixtures } from './fixture.ts';
import { sourcesWith, valueFaults } from './models/table.ts';
import {
  callSdk,
  findMethod,
  hasParameter,
  policyViolation,
  readsSequenceAsText,
  recordRequests,
  type Sdk,
  type SdkError,
} from './sdks.ts';

/** What became of a case with one of the SDKs. */
export interface Result {
  call: SdkCall;
  case: Case;
  sdk: Sdk;
  /** Null when it passed. */
  failure: string | null;
}

/** Whether the SDK can make the call of a case at all, by its own prototype and source. */
export function isInSdk(
  sdk: Sdk,
  { service, methods }: SdkCall,
  { parameter }: Pick<Case, 'parameter'>,
): boolean {
  const method = findMethod(sdk, service, methods);
  if (method === undefined) return false;
  return parameter === undefined || hasParameter(sdk, service, method, parameter);
}

/** The paths at which SDKs make a call: the newest ones use the aliases. */
function expectedPath(call: Call): RegExp {
  const aliases = accountAliases.filter((one) => account[one.call] === call);
  const patterns = [call, ...aliases].map(({ path }) =>
    path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+'),
  );
  return new RegExp(`^${call.method} (${patterns.join('|')}) \\d+$`);
}

const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && 'code' in error && 'type' in error;

/** Compares an error with the one that the case is about. */
function errorFault(error: unknown, outcome: string, requests: readonly string[]): string | null {
  if (outcome === 'Missing required parameter') {
    if (!(error instanceof Error) || !error.message.startsWith(outcome)) return `threw ${error}`;
    return requests.length === 0 ? null : `made a request: ${requests}`;
  }
  if (!isSdkError(error)) return `threw ${error instanceof Error ? error.stack : error}`;
  const { code, type, message } = error;
  // For a response that is not a redirect, the SDK for Node returns the status alone.
  const isRedirect = type === '' && message === 'Invalid redirect';
  if (isRedirect && problems[outcome as keyof typeof problems]?.code === code) return null;
  if (type !== outcome) return `answered ${code} ${type}: ${message}`;
  const status =
    type === policyViolation.type ? policyViolation.code : problems[type as keyof typeof problems]?.code;
  return status === code ? null : `answered ${type} with ${code} and not ${status}`;
}

/** Runs one case with one SDK. Cases run one after another: requests are those of the process. */
async function runCase(fixtures: Fixtures, sdk: Sdk, sdkCall: SdkCall, one: Case): Promise<string | null> {
  const { call, service, methods } = sdkCall;
  const method = findMethod(sdk, service, methods) ?? '';
  let last: { error: unknown; requests: string[] } | { path: string } | null = null;
  const invoke: Invoke = async (user, ...args) => {
    const record = recordRequests();
    try {
      const reply = await callSdk(user, service, method, args);
      const isExpected = (request: string) => call === null || expectedPath(call).test(request);
      const path = record.requests.find(isExpected) ?? '';
      if (call !== null && path === '') throw new Error(`requested ${record.requests}`);
      // Those of Flutter and PHP among them, which do not run here.
      const sources = sourcesWith(readsSequenceAsText(sdk) ? 'string' : 'integer');
      const faults = call === null ? [] : valueFaults(call, reply, sources);
      if (faults.length > 0) throw new Error(faults.join('; '));
      last = { path };
      return call === null || call.status === 204 || call.status === 302 ? reply : readReply(call, reply);
    } catch (error) {
      last = { error, requests: record.requests };
      throw error;
    } finally {
      record.stop();
    }
  };
  const read = () => last;
  try {
    await one.run(fixtures.fixture(sdk), invoke);
  } catch (error) {
    const attempt = read();
    const wasThrownByCall = attempt !== null && 'error' in attempt && attempt.error === error;
    if (one.outcome === 'success' || !wasThrownByCall)
      return `threw ${error instanceof Error ? `${error.message} ${(error as Partial<SdkError>).type ?? ''}` : error}`;
    return errorFault(error, one.outcome, attempt.requests);
  }
  if (one.outcome !== 'success') return 'was not refused';
  return read() === null ? 'did not make the call' : null;
}

const busyTries = 20;

/** Runs a case again while the server answers that it is busy, as it does on a busy machine: no SDK tries again by itself. */
async function runUntilAnswered(...args: Parameters<typeof runCase>): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const failure = await runCase(...args);
    if (failure === null || tries === busyTries || !/ general_unavailable\b/.test(failure)) return failure;
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

/** Runs the cases of calls with each SDK that has them; `report` gets each result at once. */
export async function runCases(
  fixtures: Fixtures,
  calls: readonly { call: SdkCall; cases: readonly Case[] }[],
  sdks: readonly Sdk[],
  report: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const { call, cases } of calls)
    for (const one of cases)
      for (const sdk of sdks) {
        if (!isInSdk(sdk, call, one)) continue;
        const result = { call, case: one, sdk, failure: await runUntilAnswered(fixtures, sdk, call, one) };
        results.push(result);
        report(result);
      }
  return results;
}
