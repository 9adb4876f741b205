import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inRoot } from './setup/paths.mjs';

/** A project that follows the rules, to which the violations are added. */
const validFiles = {
  'contract/src/posts/posts.ts': 'export const limit: number = 10;',
  'contract/src/interactions/steps.ts': 'export const steps = {};',
  'paymongo/src/index.ts': 'export const pay = (amount: number): number => amount;',
  'sandbox/src/provider/index.ts': 'export const provider = 1;',
  'sandbox/package.json':
    '{ "name": "@tara/sandbox", "type": "module", "exports": { "./provider": "./src/provider/index.ts" } }',
  'server/src/config.ts': 'export const port = 3000;',
  'server/src/platform/log.ts': "import { port } from '../config.ts';\nexport const log = port;",
  'server/src/features/posts/store.ts':
    "import { log } from '../../platform/log.ts';\nexport const store = log;",
  'server/src/features/posts/index.ts': "export { store } from './store.ts';",
  'server/src/features/chats/index.ts':
    "import { store } from '../posts/index.ts';\nimport { limit } from '../../../../contract/src/posts/posts.ts';\nexport const chats = [store, limit];",
  'server/src/backend/index.ts':
    "import { chats } from '../features/chats/index.ts';\nexport const backend = chats;",
  'server/src/app.ts':
    "import { backend } from './backend/index.ts';\nimport type { provider } from '@tara/sandbox/provider';\nexport const app = async (): Promise<typeof provider> => (backend, (await import('@tara/sandbox/provider')).provider);",
  'proof/src/random.ts': 'export const random = 1;',
  'contract/src/clock.ts': 'export const nowMs = () => 1;',
  'sandbox/src/clock.ts': "import { nowMs } from '../../contract/src/clock.ts';\nexport const now = nowMs;",
  'web/src/ui/Button.tsx': 'export const Button = () => <button type="button" />;',
  'web/src/features/posts/index.ts':
    "import { Button } from '../../ui/Button.tsx';\nexport const Post = Button;",
  'web/src/lib/queries.ts': "import { Button } from '../ui/Button.tsx';\nexport const read = Button;",
  'web/src/shell/layout.ts':
    "import { read } from '../lib/queries.ts';\nimport { Post } from '../features/posts/index.ts';\nexport const layout = [read, Post];",
  'web/src/routes/index.tsx':
    "import { layout } from '../shell/layout.ts';\nexport const shell = layout;\nimport { Post } from '../features/posts/index.ts';\nexport const Route = Post;",
};

/** Violations: the rule that must report it, the file, and what it imports. */
const violations = [
  ['platform-imports-no-product-code', 'server/src/platform/a.ts', '../features/posts/index.ts'],
  ['platform-imports-no-product-code', 'server/src/platform/b.ts', '../../../paymongo/src/index.ts'],
  ['features-import-neither-backend-nor-app', 'server/src/features/posts/c.ts', '../../backend/index.ts'],
  ['backend-does-not-import-app', 'server/src/backend/d.ts', '../app.ts'],
  ['features-are-imported-by-their-index', 'server/src/features/chats/e.ts', '../posts/store.ts'],
  ['features-are-imported-by-their-index', 'web/src/features/chats/f.ts', '../posts/g.ts'],
  ['backend-imports-only-feature-indexes', 'server/src/backend/h.ts', '../features/posts/store.ts'],
  ['web-imports-only-contract', 'web/src/lib/i.ts', '../../../server/src/config.ts'],
  [
    'web-reads-what-the-server-says-of-steps',
    'web/src/lib/v.ts',
    '../../../contract/src/interactions/steps.ts',
  ],
  ['server-does-not-import-web', 'server/src/features/posts/j.ts', '../../../../web/src/ui/Button.tsx'],
  ['ui-imports-only-itself', 'web/src/ui/k.ts', '../features/posts/index.ts'],
  ['lib-imports-no-screens', 'web/src/lib/r.ts', '../features/posts/index.ts'],
  ['lib-imports-no-screens', 'web/src/lib/s.ts', '../shell/layout.ts'],
  ['web-features-do-not-import-shell', 'web/src/features/posts/t.ts', '../../shell/layout.ts'],
  ['nothing-imports-routes', 'web/src/shell/u.ts', '../routes/index.tsx'],
  ['nothing-imports-routes', 'web/src/features/posts/l.ts', '../../routes/index.tsx'],
  ['paymongo-and-sandbox-import-no-product-code', 'paymongo/src/m.ts', '../../contract/src/posts/posts.ts'],
  ['paymongo-and-sandbox-import-no-product-code', 'sandbox/src/n.ts', '../../server/src/config.ts'],
  ['only-app-imports-sandbox', 'server/src/features/posts/o.ts', '@tara/sandbox/provider'],
  ['contract-imports-nothing-of-ours', 'contract/src/p.ts', '../../server/src/config.ts'],
  ['only-tests-import-test-helpers', 'server/src/features/posts/v.ts', '../../testing/w.ts'],
  ['only-tests-import-test-helpers', 'server/src/features/posts/x.ts', '../../../../proof/src/random.ts'],
  ['proof-imports-nothing-of-ours', 'proof/src/y.ts', '../../server/src/config.ts'],
  ['imports-resolve', 'server/src/features/posts/q.ts', './nowhere.ts'],
];

let folder;

async function write(files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
}

/** Runs dependency-cruiser with the real configuration; returns `rule file` lines. */
function cruise() {
  const args = ['--config', inRoot('.dependency-cruiser.cjs'), '--output-type', 'json'];
  const program = inRoot('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [program, ...args, 'contract', 'paymongo', 'sandbox', 'server', 'web', 'proof'],
      { cwd: folder, maxBuffer: 50_000_000 },
      (_error, stdout, stderr) => {
        if (!stdout) return fail(new Error(stderr));
        const { summary } = JSON.parse(stdout);
        done(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`).sort());
      },
    );
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tara-imports-'));
  await mkdir(join(folder, 'node_modules/@tara'), { recursive: true });
  await symlink('../../sandbox', join(folder, 'node_modules/@tara/sandbox'));
  await write(validFiles);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reports nothing in a valid project, and each violation by its rule', async () => {
  expect(await cruise()).toEqual([]);

  await write({
    'web/src/features/posts/g.ts': 'export const inner = 1;',
    'server/src/testing/w.ts': 'export const helper = 1;',
  });
  await write(Object.fromEntries(violations.map(([, path, target]) => [path, `export * from '${target}';`])));
  await write({
    // A static import: the app must import the sandbox dynamically.
    'server/src/app.ts': "import { provider } from '@tara/sandbox/provider';\nexport const app = provider;",
    'server/src/features/reviews/one.ts':
      "import { two } from './two.ts';\nexport const one = (): unknown => two;",
    'server/src/features/reviews/two.ts':
      "import { one } from './one.ts';\nexport const two = (): unknown => one;",
  });
  const reported = await cruise();
  const expected = violations.map(([rule, path]) => `${rule} ${path}`);
  expect(reported).toEqual(expect.arrayContaining(expected));
  expect(reported).toContain('sandbox-is-imported-dynamically server/src/app.ts');
  expect(reported.filter((line) => line.startsWith('no-circular-imports'))).not.toEqual([]);
}, 60_000);
