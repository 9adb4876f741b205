import type { FastifyInstance } from 'fastify';
import {
  type AccountLimits,
  accountLimits,
  accountRoutes,
  accountTasks,
  createResolveViewer,
  watchAccounts,
} from '../../features/accounts/index.ts';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import type { Task } from '../../platform/jobs/task.ts';
import { quietLog } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { type TestPlatform, testPlatform } from '../../testing/platform.ts';
import { accountWireRoutes } from '../account.ts';
import { realtimeRoutes } from '../realtime.ts';
import { backendWire } from '../wire.ts';

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
  close(): Promise<void>;
}

/** The real server with sessions and the account and realtime wire, listening on a free port. */
export async function startBackend(
  test: TestDatabase,
  environment: Record<string, string> = {},
): Promise<TestBackend> {
  const platform = testPlatform(test.database, { ALLOWED_ORIGINS: friendlyOrigin, ...environment });
  const resolveViewer = createResolveViewer(platform);
  const app = await createHttpServer({ config: platform.config, log: platform.log, resolveViewer });
  backendWire(app, platform);
  const limits = accountLimits(platform.config.rateLimits);
  accountWireRoutes(app, platform, limits);
  accountRoutes(app, platform, limits);
  await realtimeRoutes(app, platform, resolveViewer);
  const unlisten = await watchAccounts(test.sql, platform);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const sent: Mail[] = [];
  const tasks: Record<string, Task> = accountTasks(platform, { send: async (mail) => void sent.push(mail) });
  const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(60_000) };
  const nextJob = async () => {
    const [job] = await test.sql<{ task: string; payload: unknown }[]>`
      with done as (
        delete from graphile_worker._private_jobs where id =
          (select id from graphile_worker._private_jobs order by id limit 1) returning task_id, payload)
      select identifier as task, payload from done join graphile_worker._private_tasks tasks on tasks.id = task_id`;
    return job;
  };
  return {
    app,
    platform,
    limits,
    url,
    mails: async () => {
      for (let job = await nextJob(); job; job = await nextJob())
        await tasks[job.task]?.(job.payload, helpers);
      return sent.splice(0);
    },
    close: async () => {
      await unlisten();
      await app.close();
    },
  };
}

/** The link of a mail, as its reader opens it. */
export function linkOf(mail: Mail | undefined): URL {
  const [link] = /https?:\S+/.exec(mail?.text ?? '') ?? [];
  if (link === undefined) throw new Error('There is no link in this mail.');
  return new URL(link);
}
