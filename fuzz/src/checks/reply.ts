import type { Call } from '@tara/contract/calls';
import { problems } from '@tara/contract/problems';
import { safeParse } from 'zod/mini';
import { readShapes, unknownFields } from '../values/schema.ts';
import { type Owner, privateFault } from './private.ts';
import { parseJson, problemFault } from './problem.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** The fault of a reply. */
export interface Fault {
  kind: 'status' | 'shape' | 'leak' | 'access' | 'headers';
  detail: string;
}

/** The allowed replies of a call, and the members whose data they must not contain. */
export interface Readers {
  reader: Owner | null;
  owners: readonly Owner[];
}

const isJson = ({ headers }: Answer) => String(headers['content-type'] ?? '').includes('json');

function replyFault(call: Call, answer: Answer, { reader, owners }: Readers): Fault | null {
  if (answer.text === '' || !isJson(answer)) return null;
  const json = parseJson(answer.text);
  const read = safeParse(call.reply, json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      kind: 'shape',
      detail: `a reply that the contract does not know: ${issue?.path.join('.')} ${issue?.message}`,
    };
  }
  const [field] = unknownFields(readShapes(call.reply).output, json);
  if (field !== undefined)
    return { kind: 'leak', detail: `the reply has a field that the contract does not: ${field}` };
  const detail = privateFault(answer.text, json, reader, owners);
  if (detail !== null) return { kind: 'leak', detail };
  if (!String(answer.headers['cache-control'] ?? '').includes('no-store'))
    return { kind: 'headers', detail: 'a reply that may be stored by caches' };
  return null;
}

/** Statuses that no input may cause, apart from those that the call itself announces: it is not configured. */
const isBroken = (status: number, { errors }: Call) =>
  status >= 500 && !errors.some((type) => problems[type].code === status);

/** The first fault of a reply, or null. */
export function answerFault(call: Call, answer: Answer, readers: Readers): Fault | null {
  const { status, text } = answer;
  if (isBroken(status, call)) return { kind: 'status', detail: `answered ${status}: ${text.slice(0, 300)}` };
  if (status >= 400) {
    const fault = problemFault(status, text);
    if (fault !== null) return { kind: 'shape', detail: fault };
    const detail = privateFault(text, undefined, readers.reader, readers.owners);
    return detail === null ? null : { kind: 'leak', detail };
  }
  // A page of the web, or a redirect to one.
  if (!isJson(answer)) return null;
  if (call.access !== 'anyone' && readers.reader === null)
    return { kind: 'access', detail: `a guest got ${status}` };
  if (call.access === 'admin' && readers.reader?.admin !== true)
    return { kind: 'access', detail: `who is no admin got ${status}` };
  return replyFault(call, answer, readers);
}
