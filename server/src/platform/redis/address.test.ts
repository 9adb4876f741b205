import { expect, test } from 'vitest';
import { RedisAddressError, readRedisUrl } from './address.ts';

test.for([
  ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
  ['redis://:p%40ss@10.0.0.7:6380/3', { password: 'p@ss', host: '10.0.0.7', port: 6380, db: 3 }],
  ['redis://tara:word@[::1]:7000/', { username: 'tara', password: 'word', host: '::1', port: 7000, db: 0 }],
  ['rediss://cache.example/1', { host: 'cache.example', port: 6379, db: 1, tls: {} }],
  [
    'redis+sentinel://:word@s1:26380,s2/main/2?sentinelPassword=other',
    {
      ...{ password: 'word', sentinelPassword: 'other', name: 'main', db: 2 },
      sentinels: [
        { host: 's1', port: 26380 },
        { host: 's2', port: 26379 },
      ],
    },
  ],
  [
    'rediss+sentinel://s1/main',
    {
      ...{ sentinels: [{ host: 's1', port: 26379 }], name: 'main', db: 0 },
      ...{ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    },
  ],
] as const)('%s is read', ([url, address]) => {
  expect(readRedisUrl(url)).toEqual(address);
});

test.for([
  ['http://localhost', /^must be redis:/],
  ['redis://', /^must be redis:/],
  ['redis://one,two', /^must be redis:/],
  ['redis://one/0/1', /^must be redis:/],
  ['redis://one:70000', /ports/],
  ['redis://one/main', /number of a database/],
  ['redis://one?db=3', /parameter db/],
  ['redis://:50%@one', /percent-encoded/],
  ['redis+sentinel://one', /name the master/],
  ['redis+sentinel://one/main/0/1', /^must be redis:/],
] as const)('%s is refused', ([url, reason]) => {
  expect(() => readRedisUrl(url)).toThrow(RedisAddressError);
  expect(() => readRedisUrl(url)).toThrow(reason);
});
