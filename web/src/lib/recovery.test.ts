import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchServer } from './recovery.ts';

/** A page of which the first script is the same in every version. */
const html = (script: string) =>
  ['/assets/runtime-1.js', script].map((src) => `<script type="module" src="${src}"></script>`).join('');
const page = (script: string) => new Response(html(script));
const answers = vi.fn<() => Promise<Response>>();
const reload = vi.fn();
const onReachable = vi.fn(async () => undefined);
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
  stop = watchServer(onReachable, reload);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answers).toHaveBeenCalledTimes(2);
  expect(onReachable).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(onReachable).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
});

test('asks at once when the network is back', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  stop = watchServer(onReachable, reload);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(onReachable).toHaveBeenCalledTimes(1);
});

test('reloads the window only for a page that another version serves', async () => {
  answers.mockImplementation(async () => page('/assets/index-2.js'));
  stop = watchServer(onReachable, reload);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(onReachable).not.toHaveBeenCalled();
});

test('stops polling once it is stopped', async () => {
  answers.mockImplementation(async () => page('/assets/index-1.js'));
  watchServer(onReachable, reload)();
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).not.toHaveBeenCalled();
});
