import type { z } from 'zod';
import { Problem } from '../problem.ts';

const nameOf = (path: PropertyKey[], part: string) => path.map(String).join('.') || part;

/** Reads one part of a request by its schema. @throws Problem `general_argument_invalid` naming field and rule. */
export function validate<Schema extends z.ZodType>(schema: Schema, part: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) fields[key] ??= 'is not a field of this call';
    else fields[nameOf(issue.path, part)] ??= issue.message;
  }
  throw new Problem('general_argument_invalid', { fields });
}
