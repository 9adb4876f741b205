import { describe, expect, it } from 'vitest';
import { admissionRefusal, isShared } from './admission.ts';

const shared = { bus: 'redis-1', store: 'store-1' };

describe('a node beside others', () => {
  it.each([
    ['has no Redis', { ...shared, bus: null }, [shared], 'the same REDIS_URL, and this one has none'],
    ['has its own files', { ...shared, store: null }, [shared], 'S3_BUCKET, and this one has none'],
    ['finds one without Redis', shared, [{ ...shared, bus: null }], 'REDIS_URL, and that one has none'],
    [
      'finds one with files of its own',
      shared,
      [{ ...shared, store: null }],
      'S3_BUCKET, and that one has none',
    ],
    ['has another Redis', { ...shared, bus: 'redis-2' }, [shared], 'REDIS_URL, and those of the two differ'],
    [
      'has another store',
      { ...shared, store: 'store-2' },
      [shared],
      'S3_BUCKET, and those of the two differ',
    ],
    ['differs from one of several', shared, [shared, { ...shared, store: 'store-2' }], 'differ'],
  ])('is refused in words when it %s', (_why, node, others, words) => {
    const refusal = admissionRefusal(node, others);
    expect(refusal).toContain('Another node is already running on this database.');
    expect(refusal).toContain(words);
  });

  it('is admitted when it shares Redis and store with all of them', () => {
    expect(admissionRefusal(shared, [shared, { ...shared }])).toBeNull();
  });
});

it('a node alone may have everything of its own', () => {
  const own = { bus: null, store: null };
  expect(admissionRefusal(own, [])).toBeNull();
  expect([own, { ...own, bus: 'redis-1' }, { ...own, store: 'store-1' }, shared].map(isShared)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
