import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inRoot } from './setup/paths.mjs';

/** Files that keep the laws, so that the broken ones stand in a whole project. */
const lawful = {
  'contract/src/posts.ts': 'export const limit: number = 10;',
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
    "import { store } from '../posts/index.ts';\nimport { limit } from '../../../../contract/src/posts.ts';\nexport const chats = [store, limit];",
  'server/src/backend/index.ts':
    "import { chats } from '../features/chats/index.ts';\nexport const backend = chats;",
  'server/src/app.ts':
    "import { backend } from './backend/index.ts';\nimport type { provider } from '@tara/sandbox/provider';\nexport const app = async (): Promise<typeof provider> => (backend, (await import('@tara/sandbox/provider')).provider);",
  'web/src/ui/Button.tsx': 'export const Button = () => <button type="button" />;',
  'web/src/features/posts/index.ts':
    "import { Button } from '../../ui/Button.tsx';\nexport const Post = Button;",
  'web/src/lib/queries.ts': "import { Button } from '../ui/Button.tsx';\nexport const read = Button;",
  'web/src/shell/layout.ts':
    "import { read } from '../lib/queries.ts';\nimport { Post } from '../features/posts/index.ts';\nexport const layout = [read, Post];",
  'web/src/routes/index.tsx':
    "import { layout } from '../shell/layout.ts';\nexport const shell = layout;\nimport { Post } from '../features/posts/index.ts';\nexport const Route = Post;",
};

/** One file for each way to break a law, with the name of the rule that must catch it. */
const broken = [
  ['law-1-platform-knows-nothing-of-the-product', 'server/src/platform/a.ts', '../features/posts/index.ts'],
  [
    'law-1-platform-knows-nothing-of-the-product',
    'server/src/platform/b.ts',
    '../../../paymongo/src/index.ts',
  ],
  [
    'law-1-features-do-not-know-the-roads-to-them',
    'server/src/features/posts/c.ts',
    '../../backend/index.ts',
  ],
  ['law-1-backend-does-not-know-the-app', 'server/src/backend/d.ts', '../app.ts'],
  ['law-2-a-feature-is-seen-through-its-face', 'server/src/features/chats/e.ts', '../posts/store.ts'],
  ['law-2-a-feature-is-seen-through-its-face', 'web/src/features/chats/f.ts', '../posts/g.ts'],
  ['law-2-backend-sees-faces-only', 'server/src/backend/h.ts', '../features/posts/store.ts'],
  ['law-3-web-and-server-meet-only-in-contract', 'web/src/lib/i.ts', '../../../server/src/config.ts'],
  [
    'law-3-server-does-not-know-the-web',
    'server/src/features/posts/j.ts',
    '../../../../web/src/ui/Button.tsx',
  ],
  ['law-3-the-design-system-knows-no-feature', 'web/src/ui/k.ts', '../features/posts/index.ts'],
  ['law-3-lib-knows-no-screen', 'web/src/lib/r.ts', '../features/posts/index.ts'],
  ['law-3-lib-knows-no-screen', 'web/src/lib/s.ts', '../shell/layout.ts'],
  ['law-3-features-know-no-shell', 'web/src/features/posts/t.ts', '../../shell/layout.ts'],
  ['law-3-nothing-depends-on-a-route', 'web/src/shell/u.ts', '../routes/index.tsx'],
  ['law-3-nothing-depends-on-a-route', 'web/src/features/posts/l.ts', '../../routes/index.tsx'],
  ['law-4-paymongo-and-sandbox-know-nothing-of-tara', 'paymongo/src/m.ts', '../../contract/src/posts.ts'],
  ['law-4-paymongo-and-sandbox-know-nothing-of-tara', 'sandbox/src/n.ts', '../../server/src/config.ts'],
  ['law-4-only-app-loads-the-sandbox', 'server/src/features/posts/o.ts', '@tara/sandbox/provider'],
  ['law-5-contract-stands-alone', 'contract/src/p.ts', '../../server/src/config.ts'],
  ['everything-is-there', 'server/src/features/posts/q.ts', './nowhere.ts'],
];

let folder;

async function write(files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
}

/** What the real configuration says of the folder: `rule file` lines. */
function cruise() {
  const args = ['--config', inRoot('.dependency-cruiser.cjs'), '--output-type', 'json'];
  const program = inRoot('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [program, ...args, 'contract', 'paymongo', 'sandbox', 'server', 'web'],
      { cwd: folder, maxBuffer: 50_000_000 },
      (_error, stdout, stderr) => {
        if (!stdout) return fail(new Error(stderr));
        const { violations } = JSON.parse(stdout).summary;
        done(violations.map(({ rule, from }) => `${rule.name} ${from}`).sort());
      },
    );
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tara-laws-'));
  await mkdir(join(folder, 'node_modules/@tara'), { recursive: true });
  await symlink('../../sandbox', join(folder, 'node_modules/@tara/sandbox'));
  await write(lawful);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('finds nothing where the laws are kept, and each law where it is broken', async () => {
  expect(await cruise()).toEqual([]);

  await write({ 'web/src/features/posts/g.ts': 'export const inner = 1;' });
  await write(Object.fromEntries(broken.map(([, path, target]) => [path, `export * from '${target}';`])));
  await write({
    // A static import: even the app may only load the sandbox when it is needed.
    'server/src/app.ts': "import { provider } from '@tara/sandbox/provider';\nexport const app = provider;",
    'server/src/features/reviews/one.ts':
      "import { two } from './two.ts';\nexport const one = (): unknown => two;",
    'server/src/features/reviews/two.ts':
      "import { one } from './one.ts';\nexport const two = (): unknown => one;",
  });
  const found = await cruise();
  const expected = broken.map(([rule, path]) => `${rule} ${path}`);
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).toContain('law-4-the-sandbox-is-loaded-only-when-needed server/src/app.ts');
  expect(found.filter((line) => line.startsWith('law-2-no-circles'))).not.toEqual([]);
}, 60_000);
