import { sql } from 'drizzle-orm';
import { readConfig } from '../config.ts';
import { openBus } from '../platform/bus.ts';
import type { Database } from '../platform/database/connect.ts';
import type { DocumentChange, Topics } from '../platform/documents.ts';
import { countInMemory } from '../platform/http/rate-limits.ts';
import { quietLog } from '../platform/log.ts';
import { singleNode } from '../platform/nodes/others.ts';
import type { Platform } from '../platform/platform.ts';
import type { PushMessage, PushOutcome, PushTarget } from '../platform/push.ts';
import { openSealer } from '../platform/seal.ts';
import { vapidKeys } from '../platform/vapid.ts';
import { type MemoryStore, memoryStore } from './faults/memory-store.ts';

/** The parts that every feature uses, with what a test looks at afterwards. */
export interface TestPlatform extends Platform {
  files: MemoryStore;
  /** Every document that was announced, oldest first. */
  announced: DocumentChange[];
  /** Accounts whose viewer was announced as changed. */
  viewersChanged: string[];
  /** Every message that was sent by Web Push, oldest first. */
  pushes: (PushTarget & { message: PushMessage })[];
  /** What the push service answers to the next ones; they are accepted unless a test says otherwise. */
  pushOutcome: { current: PushOutcome };
  /** Payloads of the waiting jobs of a task, oldest first. */
  jobs(task: string): Promise<Job['payload'][]>;
  /** Removes the waiting jobs of all tasks, and returns them, oldest first. */
  takeJobs(): Promise<Job[]>;
}

interface Job {
  task: string;
  payload: Record<string, unknown>;
}

/** What several nodes of a test share, as `openShared` makes it. */
export type SharedParts = Pick<Platform, 'bus' | 'nodes' | 'onlineAccounts' | 'isOnline' | 'openCounter'>;

/** What nodes of a test sign and seal with. */
export const testSealer = openSealer(Buffer.alloc(32, 7));

function singleNodeParts(): SharedParts {
  const onlineAccounts = new Set<string>();
  const isOnline = async (accountId: string) => onlineAccounts.has(accountId);
  const bus = openBus<Topics>(quietLog());
  return { bus, nodes: singleNode, onlineAccounts, isOnline, openCounter: countInMemory };
}

/** A platform on a test's own database: files in memory, no limits, a bus that is listened to; alone unless said otherwise. */
export function testPlatform(
  database: Database,
  environment: Record<string, string> = {},
  shared: SharedParts = singleNodeParts(),
): TestPlatform {
  const log = quietLog();
  const { bus } = shared;
  const announced: DocumentChange[] = [];
  const viewersChanged: string[] = [];
  bus.subscribe('document', (change) => void announced.push(change));
  bus.subscribe('viewerChanged', ({ accountId }) => void viewersChanged.push(accountId));
  const config = readConfig({ RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...environment }, ['--empty']);
  const pushes: TestPlatform['pushes'] = [];
  const pushOutcome: TestPlatform['pushOutcome'] = { current: { kind: 'accepted' } };
  return {
    config,
    database,
    sharded: false,
    files: memoryStore(),
    log,
    ...shared,
    sealer: testSealer,
    push: {
      publicKey: vapidKeys(Buffer.alloc(32, 7)).publicKey,
      send: async ({ endpoint, p256dh, auth }, message) => {
        pushes.push({ endpoint, p256dh, auth, message });
        return pushOutcome.current;
      },
    },
    pushes,
    pushOutcome,
    announced,
    viewersChanged,
    jobs: async (task) =>
      [
        ...(await database.execute<Pick<Job, 'payload'> & Record<string, unknown>>(sql`
          select payload from graphile_worker._private_jobs jobs
          join graphile_worker._private_tasks tasks on tasks.id = task_id
          where identifier = ${task} order by jobs.id`)),
      ].map(({ payload }) => payload),
    takeJobs: async () => [
      ...(await database.execute<Job & Record<string, unknown>>(sql`
        with taken as (delete from graphile_worker._private_jobs returning id, task_id, payload)
        select identifier as task, payload from taken
        join graphile_worker._private_tasks tasks on tasks.id = task_id order by taken.id`)),
    ],
  };
}
