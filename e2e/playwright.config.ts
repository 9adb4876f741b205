import { defineConfig } from '@playwright/test';
import type { WorkerOptions } from './src/server-fixture.ts';

/**
 * The browser specs, in the machine's Chromium. They are one project, so that a worker's servers serve all of them
 * (src/server-fixture.ts). Two projects run alone, by name: `nodes` has some of them at two nodes behind a proxy, and `citus` has no
 * browser. For a trace of a failing test add `--trace retain-on-failure`: recording slows all of them.
 */
export default defineConfig<object, WorkerOptions>({
  testDir: 'src',
  testMatch: '*.spec.ts',
  globalSetup: './src/global-setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  projects: [
    { name: 'browser', testIgnore: ['citus.spec.ts', 'nodes.spec.ts'] },
    {
      name: 'nodes',
      testMatch: ['nodes', 'chat', 'feed', 'journey', 'conversations', 'messages'].map(
        (name) => `${name}.spec.ts`,
      ),
      // Each would have services and nodes of its own.
      workers: 1,
      use: { nodeCount: 2 },
    },
    { name: 'citus', testMatch: 'citus.spec.ts' },
  ],
  workers: 2,
  // As in vitest.config.ts: `npm test` names those that pass at the second attempt.
  retries: process.env.CI === 'true' ? 1 : 0,
  // Far more than the journey needs alone: other work may share the machine.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : 'line',
  use: {
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-gpu',
      ],
    },
  },
});
