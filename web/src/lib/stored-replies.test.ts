import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { posts } from '@tara/contract/posts/posts';
import { beforeEach, expect, test, vi } from 'vitest';
import { lastAccountKey } from '../ui/browser-storage.ts';
import { OfflineError, ProblemError } from './call.ts';
import { useOffline } from './offline.ts';
import { forgetStoredReplies, readOrRestore, storedCalls, storeRepliesOf } from './stored-replies.ts';

const database = vi.hoisted(() => new Map<string, unknown>());
vi.mock('./stored-replies-database.ts', () => ({
  keep: async (key: string, reply: unknown) => void database.set(key, reply),
  find: async (key: string) => database.get(key) ?? null,
  clear: async () => database.clear(),
}));

const key = ['/api/post', 'feed', {}];
const offline = async () => {
  throw new OfflineError();
};
const read = (answer: () => Promise<unknown>, isNeeded = true, endpoint: Call = posts.feed) =>
  readOrRestore(endpoint, key, { read: answer, isNeeded: () => isNeeded });
/** What was answered is stored after the answer. */
const stored = () => vi.waitFor(() => expect(database.size).toBe(1));

beforeEach(() => {
  database.clear();
  useOffline.setState({ isOffline: false, restored: [] });
  localStorage.setItem(lastAccountKey, 'ana');
  storeRepliesOf('ana');
});

test('without a network the reply of last time is there, and only where nothing newer is shown', async () => {
  expect(await read(async () => 'feed')).toBe('feed');
  await stored();
  expect(await read(offline)).toBe('feed');
  await expect(read(offline, false)).rejects.toThrow(OfflineError);
});

test.each([502, 503, 504])('nor while a proxy answers %i for the server', async (code) => {
  await read(async () => 'feed');
  await stored();
  const away = async () => {
    throw new ProblemError({ message: '', code, type: 'general_unknown', version: '', title: '' });
  };
  expect(await read(away)).toBe('feed');
});

test.each([
  [404, 'post_not_found'],
  // A server of ours that is busy is none that is away.
  [503, 'general_unavailable'],
])('what the server refuses with %i is refused, whatever was stored', async (code, type) => {
  await read(async () => 'feed');
  await stored();
  const refused = async () => {
    throw new ProblemError({ message: '', code, type, version: '', title: '' });
  };
  await expect(read(refused)).rejects.toThrow(ProblemError);
});

test('while the network hangs the reply of last time is there after 8 s, and is noted as such', async () => {
  await read(async () => 'feed');
  await stored();
  vi.useFakeTimers();
  try {
    const reading = read(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await reading).toBe('feed');
    expect(useOffline.getState()).toEqual({ isOffline: true, restored: [key] });
  } finally {
    vi.useRealTimers();
  }
});

test('an answer that is only slow is what a screen without a stored reply waits for', async () => {
  vi.useFakeTimers();
  try {
    const answer = Promise.withResolvers<string>();
    const reading = read(() => answer.promise);
    await vi.advanceTimersByTimeAsync(60_000);
    answer.resolve('feed');
    expect(await reading).toBe('feed');
    expect(useOffline.getState().isOffline).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('another account finds nothing of the one before', async () => {
  await read(async () => 'feed of Ana');
  await stored();
  storeRepliesOf('ben');
  await expect(read(offline)).rejects.toThrow(OfflineError);
});

test('a reply is not stored once another account signed in, in another tab', async () => {
  localStorage.setItem(lastAccountKey, 'ben');
  await read(async () => 'feed of Ben');
  await new Promise((done) => setTimeout(done));
  expect([...database.keys()]).toEqual([]);
});

test('a reply that comes after the account left is not stored', async () => {
  let answer = (_reply: string) => {};
  const reading = read(() => new Promise((resolve) => (answer = resolve)));
  await forgetStoredReplies();
  answer('feed of Ana');
  await reading;
  await Promise.resolve();
  await new Promise((done) => setTimeout(done));
  expect([...database.keys()]).toEqual([]);
});

/** Tables of what is never stored: admins, identity, settings, money. */
const neverStored =
  /^\/(v1|api\/(account|admin|verification|report|secondFactor|earnings|payment|dispute|visibility|publicLink|sharedPlan)) /;

test('only reads of members are stored, and none of admins, identity, settings or money', () => {
  const reads = Object.values(allCalls)
    .flatMap((calls) => Object.values(calls as Record<string, Call>))
    .filter(({ method }) => method === 'GET');
  const names = new Map(reads.map((call) => [call.key.slice(0, 2).join(' '), call]));
  for (const name of storedCalls) {
    expect(names.get(name)?.access, name).toBe('member');
    expect(name).not.toMatch(neverStored);
  }
});
