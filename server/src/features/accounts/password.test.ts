import { argon2 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { commonPasswords, hashPassword, isPassword, refuseCommon } from './password.ts';

// The real one, watched.
vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof import('node:crypto')>();
  return { ...crypto, argon2: vi.fn(crypto.argon2) };
});

it('knows a password by its hash, and no other', async () => {
  const hash = await hashPassword('correct horse');
  expect(await isPassword('correct horse', hash)).toBe(true);
  expect(await isPassword('correct horsf', hash)).toBe(false);
  expect(await hashPassword('correct horse')).not.toBe(hash);
});

it('takes a letter and its parts for the same', async () => {
  expect(await isPassword('man\u0303ana y siempre', await hashPassword('ma\u00f1ana y siempre'))).toBe(true);
});

it('says no without a hash, or with one it cannot read, after the same work', async () => {
  const hash = await hashPassword('correct horse');
  vi.mocked(argon2).mockClear();
  await isPassword('anything at all', hash);
  expect(await isPassword('anything at all', undefined)).toBe(false);
  const work = vi
    .mocked(argon2)
    .mock.calls.map(([algorithm, { memory, passes, parallelism, tagLength }]) => [
      algorithm,
      { memory, passes, parallelism, tagLength },
    ]);
  expect(work).toHaveLength(2);
  expect(work[1]).toEqual(work[0]);
  expect(await isPassword('none', 'none')).toBe(false);
});

it('answers many calls at once without losing one', async () => {
  const hash = await hashPassword('correct horse');
  const answers = await Promise.all(Array.from({ length: 20 }, () => isPassword('correct horse', hash)));
  expect(answers.every(Boolean)).toBe(true);
});

it('refuses what guessers try first, in any case', () => {
  expect(() => refuseCommon('PASSWORD123')).toThrow('This password is too common');
  expect(() => refuseCommon('correct horse battery')).not.toThrow();
  expect([...commonPasswords].filter((word) => word.length < 8 || word !== word.toLowerCase())).toEqual([]);
});
