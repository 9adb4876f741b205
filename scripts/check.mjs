// `npm run check`: format and lint with the naming rules, types, import rules, unused code, the rows of the specification, docs.
// Prints the failed checks at the end.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { install } from './install.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main, pinnedNode, runNode, tool } from './setup/run.mjs';

const workspaces = [
  'contract',
  'paymongo',
  'sandbox',
  'server',
  'web',
  'e2e',
  'bench',
  'fuzz',
  'proof',
  'simulation',
];
/** Workspaces that are one program for the compiler: what they share is read and checked once. The others have other global scopes. */
const together = JSON.parse(readFileSync(inRoot('tsconfig.node.json'), 'utf8')).include.map(
  (pattern) => pattern.split('/')[0],
);
/** Each check by a tool: its script below node_modules, and its arguments. */
const toolChecks = [
  ['format and lint', ['@biomejs/biome/bin/biome', 'check', '.']],
  [`types of ${together.join(', ')}`, ['typescript/bin/tsc', '-p', 'tsconfig.node.json']],
  ...workspaces
    .filter((name) => !together.includes(name))
    .map((name) => [`types of ${name}`, ['typescript/bin/tsc', '-p', name]]),
  // It has another global scope than the web.
  ['types of the service worker', ['typescript/bin/tsc', '-p', 'web/tsconfig.service-worker.json']],
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
];

/** Each check of our own: returns a line for each finding. What it imports is there once the packages are installed. */
const ownChecks = [
  [
    'unread constants',
    async () => {
      const { unreadKeys } = await import('./setup/constants.mjs');
      return unreadKeys(root).map((name) => `nothing reads ${name}`);
    },
  ],
  [
    'tables in SQL',
    async () => {
      const { foreignTables } = await import('./setup/sql-tables.mjs');
      return foreignTables(root).map(
        (line) => `${line}: read it through what that feature's index.ts exports, or a view`,
      );
    },
  ],
  [
    'time and chance in migrations',
    async () => {
      const { systemWordsInMigrations } = await import('./setup/sql-time.mjs');
      return systemWordsInMigrations(root).map((line) => `${line}: write now() or gen_random_uuid()`);
    },
  ],
  ['specification', async () => (await import('./setup/specification.mjs')).pageProblems()],
  ['threats', async () => (await import('./setup/threats.mjs')).threatProblems()],
  ['docs', async () => (await import('./setup/docs.mjs')).docProblems()],
];

await main(async () => {
  await install();
  // A fresh checkout has the pinned Node only now, and the checks of our own need it.
  if (realpathSync(pinnedNode()) !== realpathSync(process.execPath)) return runNode(['scripts/check.mjs']);
  const failed = [];
  const report = async (name, run) => {
    console.log(`— ${name}`);
    if (!(await run())) failed.push(name);
  };
  for (const [name, [script, ...args]] of toolChecks)
    await report(name, async () => (await runNode([tool(script), ...args])) === 0);
  for (const [name, check] of ownChecks) {
    await report(name, async () => {
      const findings = await check();
      for (const line of findings) console.log(line);
      return findings.length === 0;
    });
  }
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
