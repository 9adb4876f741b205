import { eq, inArray, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { accounts } from '../../features/accounts/index.ts';
import { insertMember } from '../../testing/features/members.ts';
import { startTestJobs } from '../../testing/jobs.ts';
import { test } from '../../testing/test.ts';
import { connectByWork } from '../database/connect.ts';
import { quietLog } from '../log.ts';
import { workItems } from './items.ts';
import { defineTask } from './task.ts';

// An error that nothing caught, such as of a driver's own timers, fails the file.
const ended = {
  'the connections of the work': sql`application_name like 'tara %'`,
  'every connection of the node': sql`application_name <> 'tara'`,
};
const moments = ['in the midst of an item', 'between two items'] as const;

test.for(
  Object.entries(ended).flatMap(([what, which]) => moments.map((moment) => ({ what, which, moment }))),
)(
  'a batch whose backends are ended $moment, $what, leaves no item undone and does none twice',
  async ({ which, moment }, { connection, database, onTestFinished }) => {
    // The library of the queue prints the errors of workers there.
    vi.spyOn(console, 'trace').mockReturnValue();
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) ids.push((await insertMember(database)).accountId);
    const node = connectByWork(connection.url, { core: 1, browsing: 1, background: 2 });
    const kills: unknown[] = [];
    const kill = async () => {
      if (kills.length > 0) return;
      kills.push(
        ...(await database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and ${which}`)),
      );
    };
    const sweep = defineTask('sweep', { payload: z.object({}), alone: true });
    const tasks = sweep.handledBy(async (_payload, helpers) => {
      await workItems(
        { database: node.database, ...helpers },
        {
          name: `lost ${ids[0]}`,
          select: (isDue) =>
            node.database
              .select({ id: accounts.id })
              .from(accounts)
              .where(sql`${inArray(accounts.id, ids)} and warning is null and ${isDue(accounts.id)}`)
              .orderBy(accounts.id),
          id: ({ id }) => id,
          work: async ({ id }) => {
            const isThird = id === ids.toSorted()[2];
            await node.database.transaction(async (transaction) => {
              await transaction
                .update(accounts)
                .set({ warning: sql`coalesce(warning, '') || 'done'` })
                .where(eq(accounts.id, id));
              if (isThird && moment === 'in the midst of an item') await kill();
              await transaction.execute(sql`select 1`);
            });
            if (isThird && moment === 'between two items') await kill();
          },
        },
      );
    });
    const jobs = await startTestJobs({ databaseUrl: connection.url, tasks, log: quietLog() });
    onTestFinished(async () => {
      await jobs.stop();
      await node.close();
    });
    /** What is done, after the job was due once more. */
    const done = async () => {
      await sweep.enqueue(database, {});
      const rows = await database
        .select({ warning: accounts.warning })
        .from(accounts)
        .where(inArray(accounts.id, ids));
      return rows.map(({ warning }) => warning);
    };
    await expect.poll(done, { timeout: 60_000, interval: 300 }).toEqual(ids.map(() => 'done'));
    expect(kills.length).toBeGreaterThan(0);
    await expect.poll(() => jobs.state(), { timeout: 60_000 }).toBe('running');
  },
);
