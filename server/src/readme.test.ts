import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Variable, variables } from './config-variables.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

/** One row of the README's table: name, default (a hyphen when there is none), meaning. */
const rowOf = ({ name, default: value, what }: Variable) =>
  `| \`${name}\` | ${value ? `\`${value}\`` : '-'} | ${what} |`;

describe("The README's configuration table", () => {
  it.each(variables.map((variable) => [variable.name, rowOf(variable)]))('has the row of %s', (_, row) => {
    expect(readme.split('\n')).toContain(row);
  });

  it('names no other variable', () => {
    const named = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
    expect(named).toEqual(variables.map(({ name }) => name));
  });
});
