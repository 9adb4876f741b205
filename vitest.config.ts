import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Against hanging only: a busy machine takes seconds to load a screen's code.
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };

// Inherited by workers and the servers that they start, as under `npm test`.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, 'node_modules/.cache/node');

/** Tests that need modules of their own: they replace one, or test the app's one realtime connection. */
const isolatedTests = {
  node: ['server/src/features/accounts/password.test.ts'],
  web: [
    'src/features/conversations/unread.test.tsx',
    'src/lib/photos-field.test.tsx',
    'src/lib/realtime-socket.test.ts',
    'src/shell/layout.test.tsx',
    'src/shell/live-conversations.test.tsx',
    'src/shell/live-plan.test.tsx',
  ],
};

export default defineConfig({
  test: {
    // One of two cores would idle while a test waits for the database or a child process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,paymongo,sandbox,server,bench,fuzz,e2e,scripts}/**/*.test.{ts,mjs}'],
          exclude: isolatedTests.node,
          globalSetup: ['server/src/testing/database.ts'],
          setupFiles: ['server/src/testing/setup.ts'],
          // The files of a worker share what they import: loading it for each file took half of the run. State of a
          // test belongs to its fixtures; what setup.ts undoes is the rest.
          isolate: false,
          ...timeouts,
        },
      },
      { test: { name: 'node-isolated', include: isolatedTests.node, ...timeouts } },
      {
        // Without web/vite.config.ts: its plugins (routes, styles) write files and belong to the build.
        root: './web',
        test: {
          name: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: isolatedTests.web,
          environment: 'happy-dom',
          setupFiles: [resolve(import.meta.dirname, 'web/src/testing/setup.ts')],
          isolate: false,
          ...timeouts,
        },
      },
      {
        root: './web',
        test: {
          name: 'web-isolated',
          include: isolatedTests.web,
          environment: 'happy-dom',
          setupFiles: [resolve(import.meta.dirname, 'web/src/testing/setup.ts')],
          ...timeouts,
        },
      },
    ],
  },
});
