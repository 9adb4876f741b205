import { openDriver } from '../platform/database/address.ts';
import { type Jobs, startJobs } from '../platform/jobs/start.ts';
import { joinNodes } from '../platform/nodes/join.ts';

type JobOptions = Omit<Parameters<typeof startJobs>[0], 'node'>;

/** Starts jobs as a node of its own, which leaves the list of nodes when they are stopped. */
export async function startTestJobs(options: JobOptions): Promise<Jobs> {
  const sql = openDriver(options.databaseUrl, { max: 1, fetch_types: false });
  const node = await joinNodes(sql, {
    role: 'all',
    log: options.log,
    parts: { bus: 'shared', store: 'shared' },
    onLost: () => {},
  });
  const jobs = await startJobs({ ...options, node });
  return {
    ...jobs,
    stop: async () => {
      await jobs.stop();
      await node.leave();
      await sql.end({ timeout: 1 });
    },
  };
}
