import { describe as describeAll, expect, vi } from 'vitest';
import { redisTest as test } from '../../testing/nodes/nodes.ts';
import { testSealer } from '../../testing/platform.ts';
import { redisProgram } from '../../testing/services/redis.ts';
import { openBus } from '../bus.ts';
import type { Topics } from '../documents.ts';
import { quietLog } from '../log.ts';
import { readRedisUrl } from './address.ts';
import { openRedisLink } from './link.ts';
import { sharePresence } from './presence.ts';

const describe = describeAll.skipIf(redisProgram === null);

describe('who is online on a node', () => {
  test('is written anew after changes that Redis missed, though they are as many', async ({
    onTestFinished,
    redis,
  }) => {
    const log = quietLog();
    const link = await openRedisLink({ address: readRedisUrl(redis.url), log, sealer: testSealer });
    onTestFinished(() => link.close());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let isAvailable = true;
    const bus = openBus<Topics>(log, null);
    const onlineAccounts = new Set<string>();
    const shared = sharePresence({
      link: { ...link, isAvailable: () => isAvailable },
      ...{ bus, log, onlineAccounts },
    });
    onTestFinished(shared.close);
    const move = (accountId: string, online: boolean) => {
      if (online) onlineAccounts.add(accountId);
      else onlineAccounts.delete(accountId);
      bus.publish('presenceChanged', { accountId, profileId: '', cause: 'connection', online });
    };
    const stored = () => redis.run((client) => client.smembers(`${link.prefix}online:${link.nodeId}`));
    move('ana', true);
    await expect.poll(stored).toEqual(['ana']);
    isAvailable = false;
    move('ana', false);
    move('ben', true);
    await null;
    isAvailable = true;
    vi.advanceTimersByTime(4_000);
    await expect.poll(stored).toEqual(['ben']);
  });
});
