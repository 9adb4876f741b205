import type { FastifyInstance } from 'fastify';
import { accountWireRoutes } from '../../backend/account/account.ts';
import { documentRoutes } from '../../backend/documents/routes.ts';
import type { ReadRecord } from '../../backend/realtime/event.ts';
import { realtimeRoutes } from '../../backend/realtime/realtime.ts';
import { backendWire } from '../../backend/wire.ts';
import {
  type AccountLimits,
  accountLimits,
  accountRoutes,
  accountTasks,
  createResolveViewer,
  watchAccounts,
} from '../../features/accounts/index.ts';
import { notificationTasks } from '../../features/notifications/tasks.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import type { Task } from '../../platform/jobs/task.ts';
import { quietLog } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { wireTime } from '../../platform/wire-time.ts';
import type { TestDatabase } from '../database.ts';
import { type SharedParts, type TestPlatform, testPlatform } from '../platform.ts';
import { test } from '../test.ts';

/** A page elsewhere that the configuration allows. */
export const friendlyOrigin = 'http://app.test';

export interface TestBackend {
  app: FastifyInstance;
  platform: TestPlatform;
  limits: AccountLimits;
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Does the waiting jobs and returns the mails they sent, oldest first. */
  mails(): Promise<Mail[]>;
  /** The same, and returns the last one to this address or phone. */
  lastMailTo(address: string): Promise<Mail | undefined>;
  close(): Promise<void>;
}

/** In place of the record: clients of the wire get what was announced. */
export const announcedRecord: ReadRecord = async ({ collection, id, document }) => ({
  parties: [],
  present: ({ databaseId, numericSequence }) => {
    const now = wireTime(new Date(0));
    return {
      ...{
        $id: id,
        $sequence: numericSequence ? 1 : '1',
        $createdAt: now,
        $updatedAt: now,
        $permissions: [],
      },
      ...{ $collectionId: collection, $databaseId: databaseId, ...document },
    };
  },
});

/** The real server with sessions and the account and realtime wire, listening on a free port. */
export async function startBackend(
  connection: Pick<TestDatabase, 'database' | 'sql'>,
  environment: Record<string, string> = {},
  { read, shared, sharded = false }: { read?: ReadRecord; shared?: SharedParts; sharded?: boolean } = {},
): Promise<TestBackend> {
  const variables = { ALLOWED_ORIGINS: friendlyOrigin, ...environment };
  const platform = { ...testPlatform(connection.database, variables, shared), sharded };
  const { config, log, openCounter } = platform;
  const { rateLimits } = config;
  const resolveViewer = createResolveViewer(platform, { ...platform, rateLimits });
  const app = await createHttpServer({ config, log, resolveViewer, openCounter });
  backendWire(app, platform);
  const limits = accountLimits(rateLimits, openCounter);
  accountWireRoutes(app, platform, limits);
  accountRoutes(app, platform, limits);
  documentRoutes(app, platform, limits);
  await realtimeRoutes(app, platform, resolveViewer, read);
  const unlisten = await watchAccounts(connection.sql, platform);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const sent: Mail[] = [];
  const tasks: Record<string, Task> = {
    ...notificationTasks(platform),
    ...accountTasks(
      platform,
      { send: async (mail) => void sent.push(mail) },
      { send: async (sms) => void sent.push({ ...sms, subject: 'Text message', html: '' }) },
      limits,
    ),
  };
  const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(60_000) };
  const mails = async () => {
    for (let jobs = await platform.takeJobs(); jobs.length > 0; jobs = await platform.takeJobs())
      for (const { task, payload } of jobs) await tasks[task]?.(payload, helpers);
    return sent.splice(0);
  };
  return {
    app,
    platform,
    limits,
    url,
    mails,
    lastMailTo: async (address) => (await mails()).findLast(({ to }) => to === address),
    close: async () => {
      await unlisten();
      await app.close();
    },
  };
}

/** `test` with a `backend` of `startBackend`. */
export const backendTest = (
  environment?: Record<string, string>,
  parts?: { read?: ReadRecord; sharded?: boolean },
) =>
  test.extend('backend', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const backend = await startBackend(connection, environment, parts);
    onCleanup(() => backend.close());
    return backend;
  });

/** The link of a mail, as its reader opens it. */
export function linkOf(mail: Mail | undefined): URL {
  const [link] = /https?:\S+/.exec(mail?.text ?? '') ?? [];
  if (link === undefined) throw new Error('There is no link in this mail.');
  return new URL(link);
}
