import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Against hanging only: a busy machine takes seconds to load a screen's code.
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } };
// A slow machine may fail a test by its timing: `npm test` names those that pass at the second attempt.
const retry = process.env.CI === 'true' ? 1 : 0;

// Inherited by workers and the servers that they start, as under `npm test`.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, 'node_modules/.cache/node');

/** Tests of random or concurrent schedules, and of kills: one failure in a thousand is a defect, so they have one attempt. */
const randomTests = [
  'e2e/src/{crash,chaos/chat,chaos/money}.test.ts',
  'fuzz/src/fuzz.test.ts',
  'server/src/features/counts/counts.property.test.ts',
  'server/src/features/disputes/cases.test.ts',
  'server/src/features/interactions/stages.test.ts',
  'server/src/features/payments/{booking,chargebacks,money.property}.test.ts',
  'server/src/platform/http/json.test.ts',
  'simulation/src/{chat,money}.test.ts',
];

/** Tests that keep both cores busy by themselves, and would be refused as in an overload beside others: they run last, alone. */
const loadTests = ['server/src/one-address.test.ts'];

/** Tests of `npm run test:long` alone: each takes many seconds. */
const longTests = process.env.REDIS_FAULTS === 'all' ? [] : ['server/src/redis-away.test.ts'];

/** Tests that need modules of their own: they replace one, or test the app's one realtime connection. */
const isolatedTests = {
  node: ['server/src/features/accounts/password.test.ts', 'server/src/full-disk.test.ts'],
  web: [
    'src/features/accounts/session.test.ts',
    'src/features/counts/counts.test.tsx',
    'src/lib/compress.worker.test.ts',
    'src/lib/photos-field.test.tsx',
    'src/lib/realtime.test.ts',
    'src/shell/error-screen.test.tsx',
    'src/shell/layout.test.tsx',
    'src/shell/live-conversations.test.tsx',
    'src/shell/live.test.tsx',
  ],
};

const node = {
  globalSetup: ['server/src/testing/database.ts'],
  setupFiles: ['server/src/testing/setup.ts'],
  // The files of a worker share what they import: loading it for each file took half of the run. State of a test belongs
  // to its fixtures; what setup.ts undoes is the rest.
  isolate: false,
  ...timeouts,
};

// Scripts of a page are not loaded, which is no error.
const environmentOptions = { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } };
// Storage is the document's: Node's own would be there without one, and warns.
const execArgv = ['--no-experimental-webstorage'];

export default defineConfig({
  test: {
    // What a test logs is printed when it fails alone.
    silent: 'passed-only',
    // A core would idle while a test waits for the database or a child process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          include: [
            '{contract,paymongo,sandbox,server,bench,fuzz,e2e,proof,simulation,scripts}/**/*.test.{ts,mjs}',
          ],
          exclude: [...isolatedTests.node, ...randomTests, ...loadTests, ...longTests],
          ...node,
          retry,
        },
      },
      { test: { name: 'node-random', include: randomTests, ...node } },
      { test: { name: 'node-load', include: loadTests, ...node, sequence: { groupOrder: 1 }, retry } },
      { test: { name: 'node-isolated', include: isolatedTests.node, ...node, isolate: true, retry } },
      {
        // Without web/vite.config.ts: its plugins (routes, styles) write files and belong to the build.
        root: './web',
        test: {
          name: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: isolatedTests.web,
          environment: 'happy-dom',
          environmentOptions,
          execArgv,
          setupFiles: [resolve(import.meta.dirname, 'web/src/testing/setup.ts')],
          isolate: false,
          ...timeouts,
          retry,
        },
      },
      {
        root: './web',
        test: {
          name: 'web-isolated',
          include: isolatedTests.web,
          environment: 'happy-dom',
          environmentOptions,
          execArgv,
          setupFiles: [resolve(import.meta.dirname, 'web/src/testing/setup.ts')],
          ...timeouts,
          retry,
        },
      },
    ],
  },
});
