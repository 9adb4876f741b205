import { expect, test } from 'vitest';
import { openFairQueue } from './fair-queue.ts';

const one = { running: 1, total: 10 };
const shares = { total: 10, account: one, address: one, network: one };
const ana = { accountId: 'ana' };

/** A queue with one place that it shares, another queue, and what ran in which sequence. */
function openPair() {
  const calls = openFairQueue({ concurrency: 1, ...shares, sharesPlaces: true });
  const passwords = openFairQueue({ concurrency: 2, ...shares });
  const ran: string[] = [];
  /** Runs as `name` in a queue, and lets everything else go on before it ends. */
  const step = async (name: string) => {
    ran.push(`${name} begins`);
    await new Promise((done) => setImmediate(done));
    ran.push(`${name} ends`);
  };
  return { calls, passwords, ran, step };
}

test('a work that waits in another queue has no place meanwhile, and one again afterwards', async () => {
  const { calls, passwords, ran, step } = openPair();
  const first = calls.run({}, async () => {
    await passwords.run({}, () => step('password'));
    await step('first');
  });
  await Promise.all([first, calls.run({}, () => step('second'))]);
  expect(ran.indexOf('second begins')).toBeLessThan(ran.indexOf('password ends'));
  expect(ran.indexOf('first begins')).toBeGreaterThan(ran.indexOf('second ends'));
});

test.each([
  ['refuses', () => Promise.reject(new Error('wrong'))],
  ['answers', () => Promise.resolve()],
])('no place is taken or given back twice when another queue %s two tasks of a work', async (_what, task) => {
  const { calls, passwords, ran, step } = openPair();
  for (let round = 0; round < 3; round++)
    await calls.run({}, async () => {
      await Promise.allSettled([passwords.run({}, task), passwords.run(ana, task)]);
      await passwords.run({}, task).catch(() => {});
    });
  await Promise.all(['first', 'second', 'third'].map((name) => calls.run({}, () => step(name))));
  const inTurn = ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  expect(ran).toEqual(inTurn);
});

test('those who always send one work more do not keep out who has several waiting', async () => {
  const queue = openFairQueue({ concurrency: 1, ...shares });
  let turns = 0;
  const work = async () => {
    turns++;
    await new Promise((done) => setImmediate(done));
  };
  /** Sends a work whenever its last one is done: nothing of it waits or runs in between. */
  const sendAlways = async (accountId: string) => {
    while (turns < 100) await queue.run({ accountId }, work);
  };
  const others = Promise.all(['ben', 'carla', 'dino'].map(sendAlways));
  const begunAt: number[] = [];
  const several = Array.from({ length: 4 }, () =>
    queue.run(ana, async () => {
      begunAt.push(turns);
      await work();
    }),
  );
  await Promise.all([...several, others]);
  // One after each turn of the three others.
  expect(begunAt.at(-1)).toBeLessThan(20);
});

test('a task elsewhere that outlives its work takes no place', async () => {
  const { calls, passwords, ran, step } = openPair();
  let end = () => {};
  const slow = () => new Promise<void>((done) => (end = done));
  let outliving: Promise<void> | undefined;
  await calls.run({}, async () => {
    outliving = passwords.run({}, slow);
    await passwords.run(ana, () => Promise.reject(new Error('wrong'))).catch(() => {});
  });
  end();
  await outliving;
  await calls.run({}, () => step('next'));
  expect(ran).toEqual(['next begins', 'next ends']);
});
