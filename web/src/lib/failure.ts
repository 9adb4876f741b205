import { notices } from '@tara/contract/notices';
import type { ProblemReply, ProblemType } from '@tara/contract/problems';
import { toast } from '../ui/toast.ts';

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

/** The server answered that something is not right: `type` from the one catalogue, `fields` per form field. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly reply: ProblemReply;
  /** Seconds until the server takes another try; 0 when it named none. */
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
  /** Per field of the form: the broken rule. */
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

/** No answer came: no network, or no server. */
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

/** The code of a screen cannot be loaded: no network, no server, or a new version took its place. */
export class ScreenUnavailableError extends Error {
  override name = 'ScreenUnavailableError';
  readonly notice: Notice = {
    title: 'This page could not be loaded',
    text: 'It opens by itself as soon as Tara can be reached.',
  };

  constructor(cause: unknown) {
    super('The code of a screen could not be loaded', { cause });
  }
}

/** Whether an error is the server's problem of one of these types. */
export function isProblem(error: unknown, ...types: ProblemType[]): error is ProblemError {
  return error instanceof ProblemError && types.some((type) => type === error.type);
}

/** A cancelled call is nobody's failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** What to tell the person about an error; the generic words of §8 for what is not ours. */
export function errorNotice(error: unknown): Notice {
  const isOurs =
    error instanceof ProblemError || error instanceof OfflineError || error instanceof ScreenUnavailableError;
  return isOurs ? error.notice : notices.generic;
}

/** A record that a route reads is not there, said in other words than the catalogue's. Thrown by loaders. */
export class NotFoundError extends Error {
  override name = 'NotFoundError';
  readonly notice: Notice;

  constructor(notice: Notice) {
    super(notice.title);
    this.notice = notice;
  }
}

/** A page that is not this member's to see (§9). Thrown by loaders. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError';
}

/** What to say when an error means that there is no such record; null for all other errors. */
export function notFoundNotice(error: unknown): Notice | null {
  if (error instanceof NotFoundError) return error.notice;
  return error instanceof ProblemError && error.type.endsWith('_not_found') ? error.notice : null;
}

/** Whether the same work succeeds by itself once the server can be reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof OfflineError || error instanceof ScreenUnavailableError;
}

/** An error in one sentence, for the line of a field. */
export function errorSentence(error: unknown): string {
  return noticeSentence(errorNotice(error));
}

/** 'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.' (§5) */
export function noticeSentence({ title, text }: Notice): string {
  return text === undefined ? title : `${title} - ${text}`;
}

/** Tells a failure in a toast, with 'Try again' where the work can be repeated. */
export function showErrorToast(error: unknown, retry?: () => void): void {
  if (isAbort(error)) return;
  toast({
    ...errorNotice(error),
    tone: 'danger',
    ...(retry ? { action: { label: 'Try again', onPress: retry } } : {}),
  });
}
