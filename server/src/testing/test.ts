import type { FastifyInstance } from 'fastify';
import { test as base, type TestAPI } from 'vitest';
import { createTestDatabase } from './database.ts';
import { type TestPlatform, testPlatform } from './platform.ts';
import { testServer } from './server.ts';

/** What the tests of a `test` are given, to name it in a table of cases. */
export type FixturesOf<Test> = Test extends TestAPI<infer Fixtures> ? Fixtures : never;

const noEnvironment: Record<string, string> = {};

/**
 * Tests that share, within their file, a database of their own (`connection`, and `database` for queries) and a
 * `platform` on it. A file that wants an empty database or variables extends `migrated` or `environment`. `override` at
 * the top of a file would change them for the files after it in the same process.
 */
export const test = base
  .extend('migrated', { scope: 'file' }, true as boolean)
  .extend('environment', { scope: 'file' }, noEnvironment)
  .extend('connection', { scope: 'file' }, async ({ migrated }, { onCleanup }) => {
    const connection = await createTestDatabase({ empty: !migrated });
    onCleanup(() => connection.drop());
    return connection;
  })
  .extend('database', { scope: 'file' }, ({ connection }) => connection.database)
  .extend('platform', { scope: 'file' }, ({ database, environment }) => testPlatform(database, environment));

/** `test` with a `server` that has these routes. */
export const serverTest = (routes: (app: FastifyInstance, platform: TestPlatform) => unknown) =>
  test.extend('server', { scope: 'file' }, async ({ platform }, { onCleanup }) => {
    const server = await testServer(platform, (app) => routes(app, platform));
    onCleanup(() => server.close());
    return server;
  });
