import { argon2 } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../platform/problem.ts';
import { commonPasswords, hashPassword, isPassword, refuseCommon } from './password.ts';

// The real one, watched.
vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof import('node:crypto')>();
  return { ...crypto, argon2: vi.fn(crypto.argon2) };
});

it('knows a password by its hash, and no other', async () => {
  const hash = await hashPassword('correct horse', {});
  expect(await isPassword('correct horse', hash, {})).toBe(true);
  expect(await isPassword('correct horsf', hash, {})).toBe(false);
  expect(await hashPassword('correct horse', {})).not.toBe(hash);
});

it('takes a letter and its parts for the same', async () => {
  expect(
    await isPassword('man\u0303ana y siempre', await hashPassword('ma\u00f1ana y siempre', {}), {}),
  ).toBe(true);
});

it('says no without a hash, or with one it cannot read, after the same work (threat-password-guessing)', async () => {
  const hash = await hashPassword('correct horse', {});
  vi.mocked(argon2).mockClear();
  await isPassword('anything at all', hash, {});
  expect(await isPassword('anything at all', undefined, {})).toBe(false);
  const work = vi
    .mocked(argon2)
    .mock.calls.map(([algorithm, { memory, passes, parallelism, tagLength }]) => [
      algorithm,
      { memory, passes, parallelism, tagLength },
    ]);
  expect(work).toHaveLength(2);
  expect(work[1]).toEqual(work[0]);
  expect(await isPassword('none', 'none', {})).toBe(false);
});

it('answers many calls at once without losing one', async () => {
  const hash = await hashPassword('correct horse', {});
  const answers = await Promise.all(Array.from({ length: 20 }, () => isPassword('correct horse', hash, {})));
  expect(answers.every(Boolean)).toBe(true);
});

it('refuses what guessers try first, in any case (threat-password-guessing)', () => {
  expect(() => refuseCommon('PASSWORD123')).toThrow(/^This password is too common - please choose another$/);
  expect(() => refuseCommon('correct horse battery')).not.toThrow();
  expect([...commonPasswords].filter((word) => word.length < 8 || word !== word.toLowerCase())).toEqual([]);
});

describe('nobody’s burst of passwords (threat-password-bursts)', () => {
  // What waits is tested, not what is computed.
  beforeEach(() => {
    vi.mocked(argon2).mockImplementation((_algorithm, _parameters, done) =>
      setImmediate(() => done(null, Buffer.alloc(32))),
    );
  });
  afterEach(() => void vi.mocked(argon2).mockReset());

  /** What ended, in this sequence. */
  const startBurst = (count: number, ended: string[]) =>
    Array.from({ length: count }, () =>
      isPassword('a guess', undefined, { ip: '203.0.113.9' }).then(
        () => ended.push('guess'),
        (error: Problem) => ended.push(error.type),
      ),
    );

  it('makes anybody else wait for more than the one that is being hashed', async () => {
    const ended: string[] = [];
    const burst = startBurst(400, ended);
    const others = [
      { ip: '198.51.100.7' },
      { ip: '2001:db8::1' },
      // Known by a session or a device: whatever address they share with the guesser.
      { accountId: 'ana' },
    ].map((requester) => isPassword('right', undefined, requester).then(() => ended.push('other')));
    await Promise.all([...burst, ...others]);
    const hashed = ended.filter((what) => what !== 'general_rate_limit_exceeded');
    expect(hashed.slice(0, 4).toSorted()).toEqual(['guess', 'other', 'other', 'other']);
    expect(hashed).toHaveLength(300 + 3);
  });

  it('makes all others be refused', async () => {
    const ended: string[] = [];
    const bursts = Array.from({ length: 6 }, () => startBurst(100, ended)).flat();
    const others = Array.from({ length: 50 }, (_, index) =>
      isPassword('right', undefined, { accountId: `account ${index}` }),
    );
    expect(await Promise.all(others)).toEqual(Array(50).fill(false));
    await Promise.all(bursts);
    expect(new Set(ended)).toEqual(new Set(['guess', 'general_rate_limit_exceeded']));
  });
});
