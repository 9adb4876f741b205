import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screenIds } from './screen.tsx';

const source = join(import.meta.dirname, '..');

test('every screen has a table of its states', () => {
  const tests = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.tsx'),
  );
  const described = tests.flatMap((path) =>
    [...readFileSync(join(source, path), 'utf8').matchAll(/describeScreen\('([^']+)'/g)].map(([, id]) => id),
  );
  // A feature may add states to another feature's screen.
  expect([...new Set(described)].toSorted()).toEqual(screenIds().toSorted());
});
