import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openFairQueue } from './fair-queue.ts';

const one = { running: 1, total: 10 };
const shares = { total: 10, account: one, address: one, network: one };
const ana = { accountId: 'ana' };

/** Lets everything else go on. */
const pause = () => new Promise<void>((done) => setTimeout(done));

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

test('a work that comes back from another queue waits for a place, and takes it from those that come later', async () => {
  const { calls, passwords, ran, step } = openPair();
  const hold = Promise.withResolvers<void>();
  const first = calls.run({}, async () => {
    await passwords.run({}, () => step('password'));
    await step('first');
  });
  const second = calls.run({}, () => hold.promise);
  while (!ran.includes('password ends')) await pause();
  await pause();
  const third = calls.run({}, () => step('third'));
  hold.resolve();
  await Promise.all([first, second, third]);
  expect(ran.slice(-4)).toEqual(['first begins', 'first ends', 'third begins', 'third ends']);
});

test('of those who were not served yet the first comes first, and one who leaves keeps none of their own works out', async () => {
  const queue = openFairQueue({ concurrency: 1, ...shares });
  const hold = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const ran: string[] = [];
  const run = (accountId: string, signal?: AbortSignal) =>
    queue.run({ accountId }, async () => void ran.push(accountId), signal);
  const held = queue.run({ accountId: 'ana' }, () => hold.promise);
  const left = run('ben', leaving.signal);
  const waiting = ['ben', 'carla', 'dino'].map((accountId) => run(accountId));
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  hold.resolve();
  await Promise.all([held, ...waiting]);
  expect(ran).toEqual(['ben', 'carla', 'dino']);
});

test.each([
  ['of one account', { account: { running: 1, total: 2 } }, 'ana', 'general_rate_limit_exceeded'],
  ['of all together', { total: 2 }, 'ben', 'general_unavailable'],
] as const)(
  'more works %s than may wait are refused, with a time to try again',
  async (_whose, limits, accountId, type) => {
    const queue = openFairQueue({ concurrency: 1, ...shares, ...limits });
    const hold = Promise.withResolvers<void>();
    const works = [1, 2].map(() => queue.run(ana, () => hold.promise));
    await expect(queue.run({ accountId }, () => hold.promise)).rejects.toMatchObject({ type, retryAfter: 5 });
    hold.resolve();
    await Promise.all(works);
    await queue.run({ accountId }, () => hold.promise);
  },
);

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

test('an account that is forgotten meanwhile has no more than its share when a task of an ended work returns', async () => {
  const most = { running: 1e6, total: 1e6 };
  const limits = { account: { running: 2, total: 1e6 }, address: { running: 1, total: 1e6 }, network: most };
  const queue = openFairQueue({ concurrency: 1e6, total: 1e6, ...limits, sharesPlaces: true });
  const other = openFairQueue({ concurrency: 1e6, ...shares, total: 1e6 });
  const ip = '203.0.113.1';
  const [elsewhere, neighbour, work] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const ended = queue.run({ ...ana, ip }, () => {
    void other.run({ ...ana, ip }, () => elsewhere?.promise ?? pause());
    return work?.promise ?? pause();
  });
  await pause();
  // Its address is full when the task returns, and the work is over.
  void queue.run({ accountId: 'ben', ip }, () => neighbour?.promise ?? pause());
  elsewhere?.resolve();
  await pause();
  work?.resolve();
  await ended;
  for (let turn = 0; turn < 25_000; turn++)
    await queue.run({ accountId: 'carla', ip: '198.51.100.1' }, async () => {});
  let running = 0;
  let mostRunning = 0;
  const run = async () => {
    running++;
    mostRunning = Math.max(mostRunning, running);
    await pause();
    running--;
  };
  const works = [1, 2, 3, 4].map(() => queue.run({ ...ana, ip }, run));
  neighbour?.resolve();
  await Promise.all(works);
  await Promise.all([1, 2, 3, 4, 5, 6].map((part) => queue.run({ ...ana, ip: `203.0.${part}.9` }, run)));
  expect(mostRunning).toBe(2);
});

test('works that left while they waited are not remembered', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const most = { running: 1e6, total: 1e6 };
  const queue = openFairQueue({ concurrency: 1, total: 1e6, account: most, address: most, network: most });
  void queue.run({}, () => new Promise(() => {}));
  const leave = async (requester: number) => {
    const controller = new AbortController();
    const ip = `2001:db8:${(requester >> 8).toString(16)}:${(requester & 255).toString(16)}00::1`;
    const waiting = queue.run({ accountId: `a${requester}`, ip }, async () => {}, controller.signal);
    controller.abort();
    await waiting.catch(() => {});
  };
  for (let requester = 0; requester < 1_000; requester++) await leave(requester);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let requester = 1_000; requester < 60_000; requester++) await leave(requester);
  collectGarbage();
  // Each would be a quarter of a kilobyte; the keys of 10,000 addresses are kept anyway.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8e6);
});
