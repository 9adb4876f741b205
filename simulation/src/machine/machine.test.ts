import { afterAll, beforeAll, expect, test } from 'vitest';
import { Backend } from '../postgres/backend.ts';
import { startPostgres } from '../postgres/start.ts';
import { Machine } from './machine.ts';

const settings = {
  ...{ deadlock_timeout: 1, log_lock_waits: 'on', client_min_messages: 'log', log_min_messages: 'panic' },
};
const names = ['monitor', 'writer', 'one', 'two', 'three'] as const;
type Name = (typeof names)[number];

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let backends: Record<Name, Backend>;
beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.makeDatabase();
  const opened = await Promise.all(
    names.map(async (name) => [name, await Backend.open(url, settings)] as const),
  );
  backends = Object.fromEntries(opened) as Record<Name, Backend>;
  await backends.monitor.run('create table records (id int primary key, value int)');
});
afterAll(async () => {
  for (const backend of Object.values(backends)) backend.close();
  await postgres.stop();
});

/** Steps statements on connections one after the other. @returns who was answered, in that order */
async function stepEach(statements: readonly (readonly [Name, string])[]): Promise<string[]> {
  const { monitor } = backends;
  const pids = names.map((name) => backends[name].pid);
  const machine = new Machine({ seed: 1, startMs: 0, monitor, pids });
  const answered: string[] = [];
  for (const [name, statement] of statements) {
    const backend = backends[name];
    const perform = () => {
      const exchange = backend.run(statement).then(() => () => void answered.push(`${name} ${statement}`));
      return machine.awaitBackend(backend, exchange, name);
    };
    machine.offer({ name, perform });
    while (machine.waitingNames().length > 0) await machine.step();
  }
  return answered;
}

test('of several that wait for one row, of different versions, the first to wait goes on first, each time', async () => {
  const lock = 'select from records where id = 1 for update';
  for (let round = 0; round < 10; round++) {
    await backends.monitor.run('truncate records; insert into records values (1, 0)');
    const answered = await stepEach([
      ['writer', 'begin; update records set value = 1'],
      ['one', `begin; ${lock}`],
      ['two', `begin; ${lock}`],
      // The row has another version from here on: who comes later waits in another line.
      ['writer', 'commit'],
      ['three', `begin; ${lock}`],
      ['one', 'rollback'],
      ['two', 'rollback'],
      ['three', 'rollback'],
    ]);
    const locked = answered.filter((line) => line.includes('for update')).map((line) => line.split(' ')[0]);
    expect(locked, `round ${round}`).toEqual(['one', 'two', 'three']);
  }
});
