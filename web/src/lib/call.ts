import type { Call } from '@tara/contract/calls';
import { notices } from '@tara/contract/notices';
import type { ProblemReply, ProblemType } from '@tara/contract/problems';
import { callUrl } from '@tara/contract/url';
import type * as z from 'zod/mini';
import { create } from 'zustand';
import { toast } from '../ui/feedback.ts';
import { noteAnswer } from './offline.ts';

/** The content policy forbids `eval`, and zod must not probe for it. Set in the object where zod itself stores it (`z.config`
 * writes to the same object) and before zod is loaded, so that the first page does not load zod for it.
 */
const scope = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
scope.__zod_globalConfig = Object.assign(scope.__zod_globalConfig ?? {}, { jitless: true });

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
 * The reply is not parsed again: the server serialises it by the same schema. A call that needs a recent password or a
 * recent code asks the person for it and is then repeated; cancelled, it fails as the server refused it.
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
    noteAnswer(false);
    throw new OfflineError(error);
  }
  const problem = status < 400 ? null : toProblemError(status, text, retryAfter);
  noteAnswer(!isAway(problem));
  if (problem !== null) {
    const asks = promptOf(problem);
    if (!asks || !(await prompt(asks))) throw problem;
    return call(endpoint, ...([args] as unknown as ArgsOf<C>));
  }
  // The boundary of the contract: typed by the call's own schema.
  return (text === '' ? undefined : parseJson(text)) as Reply<C>;
}

/** What a person is asked for by a dialog, by the problem of the call that needs it. */
const prompts: { [Type in ProblemType]?: 'password' | 'code' } = {
  user_recent_password_required: 'password',
  recent_second_factor_required: 'code',
};

interface Prompt {
  /** What is asked for now. */
  asks: 'password' | 'code' | null;
  /** Closes the dialog; true when the person showed it. */
  answer: (isConfirmed: boolean) => void;
}

export const usePrompt = create<Prompt>(() => ({ asks: null, answer: () => {} }));

let pendingPrompt: Promise<boolean> | undefined;

/** Asks once, also for several waiting calls, and for one thing at a time. False if the person cancelled. */
export async function prompt(asks: Prompt['asks']): Promise<boolean> {
  while (pendingPrompt && usePrompt.getState().asks !== asks) await pendingPrompt;
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    usePrompt.setState({
      asks,
      answer(isConfirmed) {
        pendingPrompt = undefined;
        usePrompt.setState({ asks: null });
        resolve(isConfirmed);
      },
    });
  });
  return pendingPrompt;
}

/** What the person is asked for when a call fails so; undefined for every other error. */
export const promptOf = (error: unknown) =>
  error instanceof ProblemError ? prompts[error.type as ProblemType] : undefined;

export interface Notice {
  title: string;
  text?: string;
}

/** Seconds for people: `16 s`, `4 min`, `4 min 16 s`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** An error reply of the server: `type` from the catalogue of problems, `fields` per form field. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly reply: ProblemReply;
  /** Seconds until the call may be repeated; 0 if the server gave none. */
  readonly retryAfterSeconds: number;

  constructor(reply: ProblemReply, retryAfterSeconds = 0) {
    super(reply.message);
    this.reply = reply;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get type(): string {
    return this.reply.type;
  }
  /** HTTP status. */
  get code(): number {
    return this.reply.code;
  }
  /** The message for each invalid field. */
  get fields(): Record<string, string> {
    return this.reply.fields ?? {};
  }
  get notice(): Notice {
    const { title } = this.reply;
    const isLimit = this.type === 'general_rate_limit_exceeded' && this.retryAfterSeconds > 0;
    const text = isLimit ? `you can try again in ${formatDuration(this.retryAfterSeconds)}` : this.reply.text;
    return text === undefined ? { title } : { title, text };
  }
}

/** No response: the network or the server is unreachable. */
export class OfflineError extends Error {
  override name = 'OfflineError';
  readonly notice: Notice = {
    title: 'You seem to be offline',
    text: 'please check your connection and try again',
  };

  constructor(cause?: unknown) {
    super('No answer from the server', { cause });
  }
}

/** Whether an error means that no server of ours answered: there is none, or only its proxy says so. */
export function isAway(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return isProblem(error, 'general_unknown') && [502, 503, 504].includes(error.code);
}

/** A chosen file with the type of a picture that is not a picture (§8). */
export class NotAnImageError extends Error {
  override name = 'NotAnImageError';
  readonly notice: Notice = notices.notAnImage;
}

/** The message of an error: the code of a screen could not be loaded (no network, no server, or a new version was deployed). */
export const SCREEN_UNAVAILABLE = 'The code of a screen could not be loaded';
const screenUnavailable: Notice = {
  title: 'This page could not be loaded',
  text: 'It opens automatically when Tara can be reached.',
};
/** Whether an error is that. */
export const isScreenUnavailable = (error: unknown) =>
  error instanceof Error && error.message === SCREEN_UNAVAILABLE;

/** Whether an error is the server's problem of one of these types. */
export function isProblem(error: unknown, ...types: ProblemType[]): error is ProblemError {
  return error instanceof ProblemError && types.some((type) => type === error.type);
}

/** Whether an error is the cancellation of a call, which is not reported. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The notice for an error; the generic notice of §8 for errors of an unknown class. */
export function errorNotice(error: unknown): Notice {
  if (isScreenUnavailable(error)) return screenUnavailable;
  const isOurs =
    error instanceof ProblemError || error instanceof OfflineError || error instanceof NotAnImageError;
  return isOurs ? error.notice : notices.generic;
}

/** A record was not found, with a notice other than the catalogue's. Thrown by loaders. */
export class NotFoundError extends Error {
  override name = 'NotFoundError';
  readonly notice: Notice;

  constructor(notice: Notice) {
    super(notice.title);
    this.notice = notice;
  }
}

/** The viewer may not see this page (§9). Thrown by loaders. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError';
}

/** The notice for a 'not found' error; null for all other errors. */
export function notFoundNotice(error: unknown): Notice | null {
  if (error instanceof NotFoundError) return error.notice;
  return error instanceof ProblemError && error.type.endsWith('_not_found') ? error.notice : null;
}

/** Whether an error means that the server cannot be reached, so that a retry can succeed. */
export function isUnreachable(error: unknown): boolean {
  return isAway(error) || isScreenUnavailable(error);
}

/** An error in one sentence, for the line of a field. */
export function errorSentence(error: unknown): string {
  return noticeSentence(errorNotice(error));
}

/** 'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.' (§5) */
export function noticeSentence({ title, text }: Notice): string {
  return text === undefined ? title : `${title} - ${text}`;
}

/** Shows an error in a toast, with 'Try again' if `retry` is given. */
export function showErrorToast(error: unknown, retry?: () => void): void {
  if (isAbort(error)) return;
  toast({
    ...errorNotice(error),
    tone: 'danger',
    ...(retry ? { action: { label: 'Try again', onPress: retry } } : {}),
  });
}
