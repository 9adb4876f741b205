import { notices } from '@tara/contract/notices';
import type { ProblemReply, ProblemType } from '@tara/contract/problems';
import { toast } from '../ui/toast.ts';

export interface Words {
  title: string;
  text?: string;
}

/** Seconds for people: `16 s`, `4 min`, `4 min 16 s`. */
export function duration(seconds: number): string {
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
  readonly retryAfter: number;

  constructor(reply: ProblemReply, retryAfter = 0) {
    super(reply.message);
    this.reply = reply;
    this.retryAfter = retryAfter;
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
  get words(): Words {
    const { title } = this.reply;
    const isLimit = this.type === 'general_rate_limit_exceeded' && this.retryAfter > 0;
    const text = isLimit ? `you can try again in ${duration(this.retryAfter)}` : this.reply.text;
    return text === undefined ? { title } : { title, text };
  }
}

/** No answer came: no network, or no server. */
export class OfflineError extends Error {
  override name = 'OfflineError';
  readonly words: Words = {
    title: 'You seem to be offline',
    text: 'please check your connection and try again',
  };

  constructor(cause?: unknown) {
    super('No answer from the server', { cause });
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
export function wordsOfFailure(error: unknown): Words {
  return error instanceof ProblemError || error instanceof OfflineError ? error.words : notices.generic;
}

/** Tells a failure in a toast, with 'Try again' where the work can be repeated. */
export function tellFailure(error: unknown, retry?: () => void): void {
  if (isAbort(error)) return;
  toast({
    ...wordsOfFailure(error),
    tone: 'danger',
    ...(retry ? { action: { label: 'Try again', onPress: retry } } : {}),
  });
}
