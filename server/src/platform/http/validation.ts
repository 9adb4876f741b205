import type { Schema } from '@tara/contract/calls';
import * as z from 'zod';
import { Problem } from '../problem.ts';

// The contract's schemas are of zod's small build, which brings no words of its own: an error must name its rule.
z.config(z.locales.en());

/** A value with its parents; its path is built only when it is needed. */
interface Found {
  value: unknown;
  key: string;
  parent: Found | null;
}

function pathTo(entry: Found): string[] {
  const keys: string[] = [];
  for (let next = entry; next.parent !== null; next = next.parent) keys.push(next.key);
  return keys.reverse();
}

/** Path of a text that no database holds: with U+0000 in it, or with half of a surrogate pair. */
function unstorable(value: unknown): string[] | null {
  const rest: Found[] = [{ value, key: '', parent: null }];
  for (let entry = rest.pop(); entry !== undefined; entry = rest.pop()) {
    const { value } = entry;
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return pathTo(entry);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, inner] of Object.entries(value)) rest.push({ value: inner, key, parent: entry });
  }
  return null;
}

const nameOf = (path: PropertyKey[], part: string) => path.map(String).join('.') || part;

/** The broken rule of each field, its first one; keys are the caller's, so the map inherits none. */
function brokenRules(issues: readonly z.core.$ZodIssue[], part: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  const add = (name: string, rule: string) => {
    fields[name] ??= rule;
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) add(nameOf([...issue.path, key], part), 'is not a field of this call');
    else add(nameOf(issue.path, part), issue.message);
  }
  return fields;
}

/** Reads one part of a request by its schema. @throws Problem `general_argument_invalid` naming field and rule. */
export function validate<S extends Schema>(schema: S, part: string, value: unknown): z.output<S> {
  // A call that takes nothing here was given nothing: there is nothing to look at.
  if (value === undefined && schema._zod.def.type === 'undefined') return undefined as z.output<S>;
  const result = z.safeParse(schema, value);
  if (!result.success)
    throw new Problem('general_argument_invalid', { fields: brokenRules(result.error.issues, part) });
  const path = unstorable(result.data);
  if (path === null) return result.data;
  throw new Problem('general_argument_invalid', {
    fields: { [nameOf(path, part)]: 'Contains characters that cannot be stored.' },
  });
}
