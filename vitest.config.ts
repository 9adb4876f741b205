import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,paymongo,sandbox,server,bench,fuzz,e2e,scripts}/**/*.test.{ts,mjs}'],
          globalSetup: ['server/src/testing/database.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Without web/vite.config.ts: its plugins (routes, styles) write files and belong to the build.
        root: './web',
        test: {
          name: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // Against hanging only: a busy machine takes seconds to load a screen's code.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
