import { notices } from '@tara/contract/notices';
import type { ProblemReply, ProblemType } from '@tara/contract/problems';
import { toast } from '../ui/feedback.ts';

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

/** A chosen file that says it is a picture and is none (§8). */
export class NotAnImageError extends Error {
  override name = 'NotAnImageError';
  readonly notice: Notice = notices.notAnImage;
}

/** The code of a screen could not be loaded: no network, no server, or a new version was deployed. */
export class ScreenUnavailableError extends Error {
  override name = 'ScreenUnavailableError';
  readonly notice: Notice = {
    title: 'This page could not be loaded',
    text: 'It opens automatically when Tara can be reached.',
  };

  constructor(cause: unknown) {
    super('The code of a screen could not be loaded', { cause });
  }
}

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
  const isOurs =
    error instanceof ProblemError ||
    error instanceof OfflineError ||
    error instanceof ScreenUnavailableError ||
    error instanceof NotAnImageError;
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

/** Shows an error in a toast, with 'Try again' if `retry` is given. */
export function showErrorToast(error: unknown, retry?: () => void): void {
  if (isAbort(error)) return;
  toast({
    ...errorNotice(error),
    tone: 'danger',
    ...(retry ? { action: { label: 'Try again', onPress: retry } } : {}),
  });
}
