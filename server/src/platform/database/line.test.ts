import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { connect } from './connect.ts';
import { openLine } from './line.ts';

test('more statements and transactions than a pool sends at once wait, and none is refused', async ({
  connection: { url },
}) => {
  const { database, close } = connect(url, { size: 1 });
  const statements = Array.from({ length: 300 }, async (_, number) => {
    const query = sql`select ${number}::int as number`;
    const [row] = await (number % 3 === 0
      ? database.transaction((transaction) => transaction.execute<{ number: number }>(query))
      : database.execute<{ number: number }>(query));
    return row?.number;
  });
  expect(await Promise.all(statements)).toEqual(Array.from({ length: 300 }, (_, number) => number));
  await close();
});

test('beyond what may wait, one more is refused, and a place that is given back goes to the first in line', async () => {
  const line = openLine({ places: 1, mostWaiting: 2 });
  const served: string[] = [];
  const come = (name: string) => line.enter().then(() => served.push(name));
  await come('Ana');
  const waiting = [come('Ben'), come('Cora')];
  await expect(come('Dan')).rejects.toMatchObject({ code: 'POOL_BUSY' });
  line.leave();
  line.leave();
  await Promise.all(waiting);
  expect(served).toEqual(['Ana', 'Ben', 'Cora']);
  expect(line.tryEnter()).toBe(false);
  line.leave();
  expect(line.tryEnter()).toBe(true);
});
