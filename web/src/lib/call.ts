import type { Call } from '@tara/contract/calls';
import { notices } from '@tara/contract/notices';
import type { ProblemReply } from '@tara/contract/problems';
import { callUrl } from '@tara/contract/url';
import type * as z from 'zod/mini';
import { create } from 'zustand';
import { isAbort, isProblem, OfflineError, ProblemError } from './failure.ts';

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

/** The arguments of a call: params, query and body, each required only if the contract declares it. */
export type CallArgs<C extends Call> = Part<'params', z.output<C['params']>> &
  Part<'query', z.output<C['query']>> &
  Part<'body', z.input<C['body']>> & { signal?: AbortSignal };

export type Reply<C extends Call> = z.output<C['reply']>;

/**
 * A call by its method, path and key alone, for the first page, which must not wait for the schemas of a whole table.
 * Nothing here reads more of a call than these three; a test compares them with the contract.
 */
export function primitiveCall<C extends Call>(method: C['method'], path: string, key: readonly string[]): C {
  return { method, path, key } as C;
}

/** The rest parameter of a function that takes a call: optional when the call needs nothing. */
export type ArgsOf<C extends Call> =
  Record<never, never> extends CallArgs<C> ? [args?: CallArgs<C>] : [args: CallArgs<C>];

interface UntypedArgs {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
}

/** The error for a response of 400 or above, including one that did not come from our server (a proxy's page). */
export function toProblemError(status: number, text: string, retryAfter?: string | null): ProblemError {
  const json = parseJson(text);
  if (typeof json === 'object' && json !== null && 'type' in json && 'title' in json) {
    // Checked above for what the screens read; the rest is the server's own shape.
    return new ProblemError(json as ProblemReply, Number(retryAfter ?? 0) || 0);
  }
  return new ProblemError({
    message: `Status ${status}`,
    code: status,
    type: 'general_unknown',
    version: '',
    ...notices.generic,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller handles undefined.
    return undefined;
  }
}

/**
 * Makes one call of the contract. The session's cookie goes along (same origin).
 * The reply is not parsed again: the server serialises it by the same schema. A call that needs a recent password asks
 * the person for it and is then repeated; cancelled, it fails as the server refused it.
 * @throws ProblemError when the server refuses, OfflineError when no answer comes, AbortError when cancelled.
 */
export async function call<C extends Call>(endpoint: C, ...[args]: ArgsOf<C>): Promise<Reply<C>> {
  const { body, signal, ...urlArgs }: UntypedArgs = args ?? {};
  let status: number;
  let text: string;
  let retryAfter: string | null;
  try {
    const response = await fetch(callUrl(endpoint, urlArgs), {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    status = response.status;
    text = await response.text();
    retryAfter = response.headers.get('retry-after');
  } catch (error) {
    if (isAbort(error) || signal?.aborted) throw error;
    throw new OfflineError(error);
  }
  if (status >= 400) {
    const problem = toProblemError(status, text, retryAfter);
    if (!isProblem(problem, 'user_recent_password_required') || !(await promptPassword())) throw problem;
    return call(endpoint, ...([args] as unknown as ArgsOf<C>));
  }
  // The boundary of the contract: typed by the call's own schema.
  return (text === '' ? undefined : parseJson(text)) as Reply<C>;
}

interface PasswordPrompt {
  isOpen: boolean;
  /** Closes the prompt; true when the password was confirmed. */
  answer: (isConfirmed: boolean) => void;
}

export const usePasswordPrompt = create<PasswordPrompt>(() => ({ isOpen: false, answer: () => {} }));

let pendingPrompt: Promise<boolean> | undefined;

/** Prompts for the password once, also for several waiting calls. False if the person cancelled. */
export function promptPassword(): Promise<boolean> {
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    usePasswordPrompt.setState({
      isOpen: true,
      answer(isConfirmed) {
        pendingPrompt = undefined;
        usePasswordPrompt.setState({ isOpen: false });
        resolve(isConfirmed);
      },
    });
  });
  return pendingPrompt;
}
