// `npm run check`: format and lint, types, import rules, unused code, names, routes, the rows of the specification.
// Prints the failed checks at the end.
import { existsSync } from 'node:fs';
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import { runNode, tool } from './setup/run.mjs';

const workspaces = ['contract', 'paymongo', 'sandbox', 'server', 'web', 'e2e', 'bench', 'fuzz'];

/** Each check with its script (below node_modules, or one of ours) and arguments. */
const checks = [
  ['format and lint', ['@biomejs/biome/bin/biome', 'check', '.']],
  ...workspaces.map((name) => [`types of ${name}`, ['typescript/bin/tsc', '-p', name]]),
  [
    'import rules',
    [
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...workspaces.filter((name) => existsSync(inRoot(name))),
    ],
  ],
  ['unused code', ['knip/bin/knip.js']],
  ['names', ['scripts/check-names.mjs']],
  ['small files', ['scripts/check-small-files.mjs']],
  ['constants', ['scripts/check-constants.mjs']],
  ['tables in SQL', ['scripts/check-sql-tables.mjs']],
  ['routes', ['scripts/check-routes.mjs']],
  ['specification', ['scripts/check-specification.mjs']],
];

await main(async () => {
  await install();
  const failed = [];
  for (const [name, [script, ...args]] of checks) {
    console.log(`— ${name}`);
    if ((await runNode([script.startsWith('scripts/') ? inRoot(script) : tool(script), ...args])) !== 0)
      failed.push(name);
  }
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
