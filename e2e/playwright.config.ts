import { defineConfig } from '@playwright/test';

/** The journeys, in the machine's Chromium; each worker has a server and an empty database of its own. */
export default defineConfig({
  testDir: 'src',
  projects: [
    { name: 'journey', testMatch: 'journey.spec.ts' },
    { name: 'screens', testMatch: 'screens.spec.ts' },
    { name: 'unreachable', testMatch: 'unreachable.spec.ts' },
    { name: 'stored-script', testMatch: 'stored-script.spec.ts' },
    { name: 'forms', testMatch: 'forms.spec.ts' },
    { name: 'feed', testMatch: 'feed.spec.ts' },
  ],
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Far more than the journey needs alone: other work may share the machine.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : 'line',
  use: {
    actionTimeout: 30_000,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
