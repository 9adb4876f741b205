import { serialize } from 'node:v8';
import { nowDate, nowMs, replaceClock } from '@tara/contract/clock';
import { describe as describeAll, expect, vi } from 'vitest';
import { redisTest } from '../../testing/nodes/nodes.ts';
import { testSealer } from '../../testing/platform.ts';
import { type RedisServer, redisProgram, startRedis, startSentinel } from '../../testing/services/redis.ts';
import { openBus } from '../bus.ts';
import { openLog, quietLog } from '../log.ts';
import { openSealer } from '../seal.ts';
import { StartRefused } from '../start-refused.ts';
import { readRedisUrl } from './address.ts';
import { openRedisLink } from './link.ts';

interface Topics {
  sum: { a: number; at: Date; bytes?: Buffer };
}

const test = redisTest.extend('open', async ({ redis }, { onCleanup }) => {
  const links = new Set<Awaited<ReturnType<typeof openRedisLink>>>();
  onCleanup(async () => {
    for (const link of links) await link.close();
  });
  /** A node: its bus, the sums that it heard, and how often it was said that messages were lost. */
  return async (options: Partial<Parameters<typeof openRedisLink>[0]> = {}) => {
    const link = await openRedisLink({
      address: readRedisUrl(redis.url),
      log: quietLog(),
      sealer: testSealer,
      ...options,
    });
    links.add(link);
    const bus = openBus<Topics>(quietLog(), link);
    const heard: number[] = [];
    const messages: Topics['sum'][] = [];
    const missed = vi.fn<() => void>();
    bus.subscribe('sum', (message) => {
      heard.push(message.a);
      messages.push(message);
    });
    link.onMissed(missed);
    const publish = (a: number) => bus.publish('sum', { a, at: new Date(a) });
    return { link, bus, heard, messages, missed, publish };
  };
});

const channel = 'tara:0:signed-events';

/** What stands on the channel of a Redis, until `isEnough`. */
const readFrames = (redis: RedisServer, isEnough: (frames: Buffer[]) => boolean, act = () => {}) =>
  redis.run(async (client) => {
    const frames: Buffer[] = [];
    client.on('messageBuffer', (_channel: Buffer, frame: Buffer) => void frames.push(frame));
    await client.subscribe(channel);
    act();
    await expect.poll(() => isEnough(frames), { timeout: 5_000 }).toBe(true);
    return frames;
  });
const isSum = (frame: Buffer) => frame.includes('sum');
const readSum = async (redis: RedisServer, act: () => void): Promise<Buffer> => {
  const frames = await readFrames(redis, (all) => all.some(isSum), act);
  return frames.find(isSum) ?? Buffer.alloc(0);
};
const write = (redis: RedisServer, frames: readonly (Buffer | string)[]) =>
  redis.run(async (client) => {
    for (const frame of frames) await client.publish(channel, frame);
  });

const describe = describeAll.skipIf(redisProgram === null);

describe('nodes that share a Redis', () => {
  test('hear each message once, as it was, and their own at once', async ({ open }) => {
    const [one, other] = [await open(), await open()];
    const origins: string[] = [];
    other.bus.subscribe('sum', (_message, origin) => void origins.push(origin));
    const bytes = Buffer.from('bytes');
    one.bus.publish('sum', { a: 1, at: new Date(5), bytes });
    await null;
    expect(one.heard).toEqual([1]);
    await expect.poll(() => other.messages).toEqual([{ a: 1, at: new Date(5), bytes }]);
    other.publish(2);
    other.bus.here.publish('sum', { a: 3, at: nowDate() });
    one.publish(4);
    await expect.poll(() => other.heard).toEqual([1, 2, 3, 4]);
    expect(one.heard).toEqual([1, 4, 2]);
    expect(origins).toEqual(['elsewhere', 'here', 'here', 'elsewhere']);
    for (const { missed } of [one, other]) expect(missed).not.toHaveBeenCalled();
  });

  test('connect again when the library has given a connection up, as in the middle of a failover', async ({
    open,
  }) => {
    const { link } = await open();
    await expect.poll(() => link.state()).toBe('running');
    link.commands.disconnect();
    await expect.poll(() => link.commands.status).toBe('end');
    expect(link.state()).toBe('away');
    await expect.poll(() => link.state(), { timeout: 10_000 }).toBe('running');
  });

  test('notice that messages to them may have been lost', async ({ open, redis }) => {
    const [one, other] = [await open(), await open()];
    await redis.run((client) => client.client('KILL', 'TYPE', 'PUBSUB'));
    await expect.poll(() => [one.missed, other.missed].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    one.publish(1);
    await expect.poll(() => other.heard).toEqual([1]);
  });

  test('notice that a message of another one was not sent', async ({ open }) => {
    const [one, other] = [await open(), await open()];
    one.publish(1);
    await expect.poll(() => other.heard).toEqual([1]);
    // A function cannot travel.
    one.bus.publish('sum', { a: 2, at: (() => {}) as never });
    await expect.poll(() => other.missed.mock.calls.length).toBe(1);
    expect(other.heard).toEqual([1]);
  });

  test('go on by themselves while Redis is away, and together within 5 s after it is back', async ({
    onTestFinished,
    open,
    redis,
  }) => {
    const [one, other] = [await open(), await open()];
    onTestFinished(() => redis.start());
    await redis.kill();
    await expect.poll(() => one.link.state()).toBe('away');
    expect([one.link.isAvailable(), one.link.hearsAll()]).toEqual([false, false]);
    one.publish(1);
    await null;
    expect(one.heard).toEqual([1]);
    await redis.start();
    const sendsAgain = async () => {
      one.publish(2);
      return other.heard.length > 0;
    };
    await expect.poll(sendsAgain, { timeout: 5_000 }).toBe(true);
    await expect.poll(() => [one, other].map(({ link }) => link.state())).toEqual(['running', 'running']);
    expect(other.missed).toHaveBeenCalled();
  });

  test('are away while Redis takes no writes, and hear each other', async ({ open, redis }) => {
    const [one, other] = [await open(), await open()];
    await redis.run((client) => client.config('SET', 'maxmemory', '1'));
    await expect.poll(() => [one.link.state(), one.link.isAvailable()]).toEqual(['away', false]);
    one.publish(1);
    await expect.poll(() => other.heard).toEqual([1]);
    await redis.run((client) => client.config('SET', 'maxmemory', '0'));
    await expect.poll(() => one.link.state()).toBe('running');
    expect(other.missed).not.toHaveBeenCalled();
  });

  test('notice that one ends which sent less than it published', async ({ open }) => {
    const [one, other] = [await open(), await open()];
    await expect.poll(() => other.link.others()).toContain(one.link.nodeId);
    one.bus.publish('sum', { a: 1, at: (() => {}) as never });
    await one.link.close();
    await expect.poll(() => other.missed.mock.calls.length).toBe(1);
  });

  test('hear what one says that leaves already', async ({ open, redis }) => {
    const [one, other] = [await open(), await open()];
    await expect.poll(() => other.link.others()).toContain(one.link.nodeId);
    const isUsed = () => other.link.hearsAll();
    redis.pause();
    const closed = one.link.close();
    one.publish(1);
    await closed;
    redis.resume();
    await expect.poll(() => other.link.others()).not.toContain(one.link.nodeId);
    await expect.poll(isUsed).toBe(true);
    expect(other.missed).not.toHaveBeenCalled();
  });

  test('do not hear all while the database names one that they never heard, and notice its end (threat-stolen-sessions)', async ({
    open,
  }) => {
    const failed = { id: 'failed', ageMs: 2_000 };
    let listed = [failed, { id: 'cut off', ageMs: 60_000 }];
    const { link: heard } = await open();
    const node = await open({ listNodes: () => [...listed, { id: heard.nodeId, ageMs: 0 }] });
    await expect.poll(() => node.link.others()).toContain(heard.nodeId);
    expect(node.link.hearsAll()).toBe(false);
    expect(node.missed).not.toHaveBeenCalled();
    listed = listed.slice(1);
    await expect.poll(() => node.link.others()).toHaveLength(2);
    expect(node.missed).not.toHaveBeenCalled();
    listed = [];
    await expect.poll(() => node.missed.mock.calls.length, { timeout: 5_000 }).toBe(1);
    expect(node.link.hearsAll()).toBe(true);
  });

  test('leave out what others write to their Redis, and say so once (threat-shared-redis)', async ({
    open,
    redis,
  }) => {
    const lines: string[] = [];
    const log = openLog({ level: 'error', destination: { write: (line) => void lines.push(line) } });
    const [one, other] = [await open(), await open({ log })];
    const known = await readSum(redis, () => one.publish(1));
    await expect.poll(() => other.heard).toEqual([1]);
    const altered = Buffer.from(known);
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
    const envelope = { number: 2, sentAt: nowMs(), topic: 'sum', message: { a: 2, at: nowDate() } };
    const unsigned = Buffer.concat([Buffer.from(one.link.nodeId), serialize(envelope)]);
    const renamed = Buffer.concat([Buffer.from(other.link.nodeId), known.subarray(one.link.nodeId.length)]);
    await write(redis, ['', 'text', known.subarray(0, 40), altered, unsigned, renamed]);
    const stranger = await open({ sealer: openSealer(Buffer.alloc(32, 8)) });
    await readSum(redis, () => stranger.publish(3));
    one.publish(4);
    await expect.poll(() => other.heard).toEqual([1, 4]);
    expect(other.missed).not.toHaveBeenCalled();
    expect(other.link.others()).toEqual([one.link.nodeId]);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringContaining('that no node signed is left out'),
    ]);
  });

  test('hear nothing a second time, nor what is minutes old (threat-shared-redis)', async ({
    onTestFinished,
    open,
    redis,
  }) => {
    const [one, other, third] = [await open(), await open(), await open()];
    const frame = await readSum(redis, () => one.publish(1));
    await expect.poll(() => other.heard).toEqual([1]);
    await one.link.close();
    // Some seconds after it left.
    const now = performance.now.bind(performance);
    const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_200);
    await readFrames(redis, (frames) => frames.length > 1);
    await write(redis, [frame]);
    third.publish(2);
    await expect.poll(() => other.heard).toEqual([1, 2]);
    time.mockRestore();
    // A node that never heard of it.
    const later = nowMs() + 360_000;
    onTestFinished(replaceClock({ nowMs: () => later }));
    const late = await open();
    await write(redis, [frame]);
    other.publish(3);
    await expect.poll(() => late.heard).toEqual([3]);
  });

  test('are those that were heard lately, without those that stopped', async ({ open }) => {
    const [one, other] = [await open(), await open()];
    await expect.poll(() => one.link.others()).toContain(other.link.nodeId);
    await other.link.close();
    await expect.poll(() => one.link.others()).not.toContain(other.link.nodeId);
  });
});

describe('a start', () => {
  const refusal = (url: string) =>
    openRedisLink({ address: readRedisUrl(url), log: quietLog(), sealer: testSealer }).then(
      () => null,
      (error: unknown) => error,
    );

  test.for([
    ['a wrong password', 'redis://:wrong@', '', 'REDIS_URL has a wrong user or password, or lacks it.'],
    ['no password', 'redis://', '', 'REDIS_URL has a wrong user or password, or lacks it.'],
    [
      'an unknown database',
      'redis://:right@',
      '/99',
      'REDIS_URL names a database that the server does not have.',
    ],
  ] as const)(
    'with %s ends with one sentence',
    async ([_what, before, after, sentence], { onTestFinished }) => {
      const redis = await startRedis('--requirepass', 'right');
      onTestFinished(() => redis.close());
      expect(await refusal(`${before}127.0.0.1:${redis.port}${after}`)).toEqual(new StartRefused(sentence));
    },
  );

  test('without a Redis, or while its host is not known, goes on without it', async ({
    onTestFinished,
    redis,
  }) => {
    await redis.kill();
    const urls = [redis.url, 'redis://redis.invalid'];
    const [link, unknown] = await Promise.all(
      urls.map((url) => openRedisLink({ address: readRedisUrl(url), log: quietLog(), sealer: testSealer })),
    );
    if (!link || !unknown) throw new Error('There are no links.');
    onTestFinished(async () => {
      for (const one of [link, unknown]) await one.close();
    });
    expect(unknown.state()).toBe('away');
    const missed = vi.fn<() => void>();
    link.onMissed(missed);
    expect(link.state()).toBe('away');
    await redis.start();
    await expect.poll(() => link.state(), { timeout: 5_000 }).toBe('running');
    // It served before it heard anything.
    expect(missed).toHaveBeenCalledOnce();
  });

  test('with a master that no sentinel knows ends with one sentence', async ({ onTestFinished, redis }) => {
    const sentinel = await startSentinel(redis);
    onTestFinished(() => sentinel.close());
    expect(await refusal(`redis+sentinel://127.0.0.1:${sentinel.port}/other`)).toEqual(
      new StartRefused('REDIS_URL names a master that the sentinels do not know.'),
    );
  });
});
