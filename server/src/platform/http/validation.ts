import type { Schema } from '@tara/contract/calls';
import * as z from 'zod';
import { Problem } from '../problem.ts';

// The contract's schemas are of zod's small build, which brings no words of its own: an error must name its rule.
z.config(z.locales.en());

const nameOf = (path: PropertyKey[], part: string) => path.map(String).join('.') || part;

/** Path of a text that no database holds: with U+0000 in it, or with half of a surrogate pair. */
function unstorable(value: unknown): string[] | null {
  const rest: [string[], unknown][] = [[[], value]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && (found.includes('\0') || !found.isWellFormed())) return path;
    if (typeof found !== 'object' || found === null || ArrayBuffer.isView(found)) continue;
    for (const [key, inner] of Object.entries(found)) rest.push([[...path, key], inner]);
  }
  return null;
}

/** Reads one part of a request by its schema. @throws Problem `general_argument_invalid` naming field and rule. */
export function validate<S extends Schema>(schema: S, part: string, value: unknown): z.output<S> {
  // A call that takes nothing here was given nothing: there is nothing to look at.
  if (value === undefined && schema._zod.def.type === 'undefined') return undefined as z.output<S>;
  const result = z.safeParse(schema, value);
  if (result.success) {
    const path = unstorable(result.data);
    if (path === null) return result.data;
    throw new Problem('general_argument_invalid', {
      fields: { [nameOf(path, part)]: 'Must not contain characters that are none.' },
    });
  }
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) fields[key] ??= 'is not a field of this call';
    else fields[nameOf(issue.path, part)] ??= issue.message;
  }
  throw new Problem('general_argument_invalid', { fields });
}
