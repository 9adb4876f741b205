import { isDeepStrictEqual } from 'node:util';
import { CALLS, type CallName, type Inputs, REFUSED_CALLS, type Refusal } from './calls.ts';
import { ErrorBody, type OwnBug, type ThirdPartyClient } from './clients.ts';
import type { Fixtures } from './fixtures.ts';
import type { Exchange } from './sandbox.ts';
import { type Answer, findAnswerFault, findShapeFault, readId } from './shapes.ts';

/** What a client gave its caller, and what it asked the provider meanwhile. */
export interface Outcome {
  client: ThirdPartyClient;
  result?: unknown;
  error?: unknown;
  exchanges: readonly Exchange[];
}

/** A row of the table: what each client is given, and what its outcome has to be. */
export interface Row {
  title: string;
  /** Which of a client's methods is used. */
  call: keyof Inputs;
  /** Whether the client has a key that the provider does not know. */
  isWrongKey?: boolean;
  prepare(make: Fixtures): Promise<{
    input: unknown;
    /** What is wrong with the outcome; null when nothing is. */
    findFault(outcome: Outcome): string | null | Promise<string | null>;
  }>;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));

/** What is wrong with what was asked: another call, several, or another status. */
function findExchangeFault(exchanges: readonly Exchange[], call: string, status: number): string | null {
  const wanted = `${call.replace(/\?.*/, '').replace(' ', ' /v1')} ${status}`;
  const actual = exchanges.map((exchange) => `${exchange.call} ${exchange.status}`).join(', ');
  return actual === wanted ? null : `${actual || 'no request'} in place of ${wanted}`;
}

/** A call that succeeds: one request, its status, the form and the state of its reply, and what is stored then. */
const answered = (call: CallName): Row => ({
  title: call,
  call,
  async prepare(make) {
    const { input, answer, ...options }: { input: unknown; answer: Answer; isOnly?: boolean } =
      await CALLS[call](make);
    const path = call.split('/')[1]?.split('?')[0] ?? '';
    return {
      input,
      async findFault({ result, error, exchanges }) {
        if (error !== undefined) return textOf(error);
        const fault =
          findExchangeFault(exchanges, call, 200) ??
          findShapeFault(call, result) ??
          findAnswerFault(result, answer, options);
        const id = answer.id ?? readId(result);
        if (fault !== null || id === null) return fault;
        const later = findAnswerFault(await make.read(path, id), { ...answer, id });
        return later && `read afterwards: ${later}`;
      },
    };
  },
});

/** What is wrong with a refusal: the provider's status or code, or what the client makes of them. */
export function findRefusalFault(
  { client, result, error, exchanges }: Outcome,
  call: CallName,
  wanted: Refusal,
) {
  if (error === undefined) return `${JSON.stringify(result)} in place of an error`;
  const fault = findExchangeFault(exchanges, call, wanted.status);
  if (fault !== null) return fault;
  const [first] = ErrorBody.parse(exchanges[0]?.reply).errors;
  if (wanted.code !== null && first?.code !== wanted.code) return `${first?.code} in place of ${wanted.code}`;
  if ((wanted.pointer ?? null) !== first?.pointer) return `${first?.pointer} in place of ${wanted.pointer}`;
  const { faults, status } = client.readRefusal(error);
  if (!isDeepStrictEqual(faults, [first]))
    return `${JSON.stringify(faults)} in place of the provider's error`;
  if (status !== undefined && status !== wanted.status) return `${status} in place of ${wanted.status}`;
  return null;
}

/** Whether a client takes a delivery for signed, which is checked without a request. */
const delivered = (title: string, isSigned: boolean, change: (payload: string) => string): Row => ({
  title: `Paymongo-Signature: ${title}`,
  call: 'Paymongo-Signature',
  async prepare(make) {
    const { payload, ...delivery } = await make.delivery();
    return {
      input: { ...delivery, payload: change(payload) },
      findFault({ result, error }) {
        if (error !== undefined) return textOf(error);
        return result === isSigned ? null : `${JSON.stringify(result)} in place of ${isSigned}`;
      },
    };
  },
});

/** All rows, in the order of the table. */
export const ROWS: Row[] = [
  ...(Object.keys(CALLS) as CallName[]).map(answered),
  ...REFUSED_CALLS.map(
    ({ call, why, refusal, isWrongKey = false, prepare }): Row => ({
      title: `${call}: ${why}`,
      call,
      isWrongKey,
      async prepare(make) {
        const input = await prepare(make);
        return { input, findFault: (outcome) => findRefusalFault(outcome, call, refusal) };
      },
    }),
  ),
  delivered('a delivery', true, (payload) => payload),
  delivered('a changed delivery', false, (payload) => payload.replace('10000', '10001')),
];

/** What is wrong with what a client is known to get wrong: it does something else now. */
export function findOwnBugFault({ result, error, exchanges }: Outcome, { error: wanted, status }: OwnBug) {
  if (error === undefined) return `${JSON.stringify(result)} in place of ${wanted}`;
  if (!wanted.test(textOf(error))) return `${textOf(error)} in place of ${wanted}`;
  const statuses = exchanges.map((exchange) => exchange.status);
  if (isDeepStrictEqual(statuses, status === null ? [] : [status])) return null;
  return `${statuses.join(', ') || 'no reply'} in place of ${status ?? 'no reply'}`;
}
