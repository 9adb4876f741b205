import { problems } from '@tara/contract/problems';
import { z } from 'zod';

/** The schema of every error reply; other fields are not allowed. */
const ProblemShape = z.strictObject({
  message: z.string().min(1),
  code: z.int(),
  type: z.enum(Object.keys(problems)),
  version: z.string(),
  status: z.literal('error'),
  title: z.string().min(1),
  text: z.string().optional(),
  fields: z.record(z.string(), z.string().min(1)).optional(),
  requestId: z.string().optional(),
});

/** The largest answer of an error, bytes: it repeats some of what was sent, never all. */
const largestBytes = 16_384;

/** The fault of an error reply, or null. */
export function problemFault(status: number, text: string): string | null {
  if (text.length > largestBytes) return `an error of ${text.length} characters`;
  const json = parseJson(text);
  if (json === undefined) return `an error that is no JSON: ${text.slice(0, 100)}`;
  const read = ProblemShape.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `an error of another shape: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}: ${text.slice(0, 200)}`;
  }
  if (read.data.code !== status) return `an error ${status} that says ${read.data.code}`;
  if (read.data.type === 'general_argument_invalid' && Object.keys(read.data.fields ?? {}).length === 0)
    return `a 400 that names no field: ${text.slice(0, 200)}`;
  return null;
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The type of an error reply; null where it is none. */
export const problemType = (text: string): string | null =>
  z.looseObject({ type: z.string() }).safeParse(parseJson(text)).data?.type ?? null;
