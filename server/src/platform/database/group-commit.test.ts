import { expect, test } from 'vitest';
import { groupCommit } from './group-commit.ts';

const lost = new Error('lost');
const isCommon = (error: unknown) => error === lost;

/** A commit whose groups are seen and that ends only when it is let. */
function held() {
  const groups: number[][] = [];
  let release = () => {};
  const gate = new Promise<void>((done) => {
    release = done;
  });
  const commit = async (items: readonly number[]) => {
    groups.push([...items]);
    await gate;
    return items.map((item) => item * 10);
  };
  return { groups, commit, release: () => release() };
}

test('one item waits for nothing; what arrives meanwhile shares the next commit', async () => {
  const { groups, commit, release } = held();
  const put = groupCommit(commit, { batchSize: 10, isCommon });
  const outcomes = Promise.all([put(1), put(2), put(3)]);
  expect(groups).toEqual([[1]]);
  release();
  expect(await outcomes).toEqual([10, 20, 30]);
  expect(groups).toEqual([[1], [2, 3]]);
});

test('a group has its largest size', async () => {
  const { groups, commit, release } = held();
  const put = groupCommit(commit, { batchSize: 2, isCommon });
  const outcomes = Promise.all([1, 2, 3, 4, 5].map(put));
  release();
  await outcomes;
  expect(groups).toEqual([[1], [2, 3], [4, 5]]);
});

test('the error of one item stays its own', async () => {
  const put = groupCommit(
    async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('three');
      return items.map((item) => item * 10);
    },
    { batchSize: 10, isCommon },
  );
  const [one, two, three, four] = await Promise.allSettled([1, 2, 3, 4].map(put));
  expect([one, two, four].map((settled) => settled?.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(three).toMatchObject({ status: 'rejected', reason: { message: 'three' } });
});

test('a lost database fails the group at once, and the next group is tried again', async () => {
  let calls = 0;
  const put = groupCommit(
    async (items: readonly number[]) => {
      calls += 1;
      if (calls <= 2) throw lost;
      return items;
    },
    { batchSize: 10, isCommon },
  );
  const settled = await Promise.allSettled([1, 2, 3].map(put));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(2);
  expect(await put(4)).toBe(4);
});
