import { newDataDir, type Started, startServer } from './start.ts';
import { test } from './test.ts';

/** `test` with a data folder for its file, and `start`: a server in a process of its own that ends with the test. */
export const startTest = test
  .extend('dataDir', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
    const folder = await newDataDir();
    onCleanup(() => folder.remove());
    return folder.path;
  })
  .extend(
    'start',
    ({ connection, dataDir, onTestFinished }) =>
      async (environment: Record<string, string>, ...flags: string[]): Promise<Started> => {
        const server = await startServer(
          { DATABASE_URL: connection.url, DATA_DIR: dataDir, ...environment },
          flags,
        );
        onTestFinished(async () => void (await server.stop()));
        return server;
      },
  );
