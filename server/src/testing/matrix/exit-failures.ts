import { allCalls } from '@tara/contract/all';
import { callUrl } from '@tara/contract/url';
import { getTableName, sql } from 'drizzle-orm';
import { otherTables, personalTables } from '../../features/personal-data/list.ts';
import { nodes } from '../../platform/nodes/tables.ts';
import { type openRoads, shapeOf } from './exit-roads.ts';

type Roads = Awaited<ReturnType<typeof openRoads>>;

const writes = Object.values(allCalls)
  .flatMap((calls) => Object.values(calls))
  .filter(({ method }) => method !== 'GET');

/** Has fail what can: calls with everything that is wrong in them, jobs, and every statement that writes a row. */
export function exitFailures({ world, platform, jobs, ask, askForSecrets }: Roads) {
  const { database } = platform;
  const { owner, marks } = world;

  return {
    /** Every call that writes, with a marked value in each of its fields. */
    async refuseCalls(): Promise<void> {
      for (const call of writes) {
        const value = (key: string) => marks.text(`${call.path} ${key}`);
        const fill = (schema: typeof call.body) =>
          Object.fromEntries(Object.keys(shapeOf(schema)).map((key) => [key, value(key)]));
        const params = Object.fromEntries(Object.keys(shapeOf(call.params)).map((key) => [key, 'none']));
        for (const who of [null, owner])
          await ask(who, call.method, callUrl(call, { params }), fill(call.body));
      }
    },
    /** Jobs while no mail can be sent. */
    async refuseMails(): Promise<void> {
      await jobs.notifyAll('failing');
      await jobs.mailAccount();
      await askForSecrets();
      await jobs.workWithoutMail();
    },
    /** Makes every table refuse every row, with the row in the error, until `work` is done; but that of the nodes that do it. */
    async refuseRows(work: () => Promise<unknown>): Promise<void> {
      const all = new Set([...personalTables.map(({ table }) => table), ...otherTables.keys()]);
      all.delete(nodes);
      const tables = [...all].map((table) => sql.identifier(getTableName(table)));
      for (const table of tables)
        await database.execute(sql`alter table ${table} add constraint refused check (false) not valid`);
      await work();
      for (const table of tables) await database.execute(sql`alter table ${table} drop constraint refused`);
    },
  };
}
