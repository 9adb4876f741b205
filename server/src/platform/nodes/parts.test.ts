import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { nodeParts } from './parts.ts';

const s3 = {
  S3_ENDPOINT: 'https://store.example',
  S3_BUCKET: 'tara-files',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};
const parts = (environment: Record<string, string>) => nodeParts(readConfig(environment, []));

it('without settings a node has everything of its own', () => {
  expect(parts({})).toEqual({ bus: null, store: null });
});

it.each([
  [{ REDIS_URL: 'redis://redis.example' }, { REDIS_URL: 'redis://user:other@redis.example:6379/0' }],
  [
    { REDIS_URL: 'redis+sentinel://one.example,two.example:26380/tara' },
    { REDIS_URL: 'redis+sentinel://:secret@two.example:26380,one.example:26379/tara' },
  ],
  [s3, { ...s3, S3_ENDPOINT: 'https://store.example/', S3_ACCESS_KEY_ID: 'key-2' }],
])('%o and %o are the same', (one, other) => {
  expect(parts(one)).toEqual(parts(other));
  expect(Object.values(parts(one)).filter((part) => part !== null)).toHaveLength(1);
});

it.each([
  [{ REDIS_URL: 'redis://redis.example' }, { REDIS_URL: 'redis://redis.example/1' }],
  [{ REDIS_URL: 'redis://redis.example' }, { REDIS_URL: 'redis://other.example' }],
  [{ REDIS_URL: 'redis+sentinel://one.example/tara' }, { REDIS_URL: 'redis+sentinel://one.example/other' }],
  [s3, { ...s3, S3_BUCKET: 'other-files' }],
  [s3, { ...s3, S3_ENDPOINT: 'https://other.example' }],
])('%o and %o differ', (one, other) => {
  expect(parts(one)).not.toEqual(parts(other));
});
