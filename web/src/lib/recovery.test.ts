import { nowMs } from '@tara/contract/clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchServer } from './recovery.ts';

/** A page of which the first script is the same in every version. */
const html = (script: string) =>
  ['/assets/runtime-1.js', script].map((src) => `<script type="module" src="${src}"></script>`).join('');
const page = (script: string) => new Response(html(script));
const answers = vi.fn<() => Promise<Response>>();
const onReachable = vi.fn(async (_isNewVersion: boolean) => undefined);
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', answers);
  document.head.innerHTML = html('/assets/index-1.js');
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  document.head.innerHTML = '';
});

test('polls in growing intervals until the server answers, then continues', async () => {
  answers
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValueOnce(new Response('', { status: 502 }))
    .mockImplementation(async () => page('/assets/index-1.js'));
  stop = watchServer(onReachable);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answers).toHaveBeenCalledTimes(2);
  expect(onReachable).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(onReachable.mock.calls).toEqual([[false]]);
});

test('continues the intervals of a watch before it', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  const attempts = { count: 0 };
  // Each answer ends the watch, as a screen that is shown anew does.
  const triedAt: number[] = [];
  const watch = () => {
    stop = watchServer(async () => {
      triedAt.push(nowMs() - begunAt);
      stop();
      watch();
    }, attempts);
  };
  const begunAt = nowMs();
  watch();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(triedAt).toEqual([1, 3, 7, 15, 31, 61, 91].map((seconds) => seconds * 1000));
});

test('asks at once when the network is back', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  stop = watchServer(onReachable);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(onReachable).toHaveBeenCalledTimes(1);
});

test('says that the server has another version by now', async () => {
  answers.mockImplementation(async () => page('/assets/index-2.js'));
  stop = watchServer(onReachable);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onReachable.mock.calls).toEqual([[true]]);
});

test('does not wait for ever where the network is there and nothing answers', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  stop = watchServer(onReachable);
  await vi.advanceTimersByTimeAsync(1_000);
  const [, request] = vi.mocked(fetch).mock.calls[0] ?? [];
  expect(request?.signal).toBeInstanceOf(AbortSignal);
});

test('stops polling once it is stopped', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  watchServer(onReachable)();
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).not.toHaveBeenCalled();
});
