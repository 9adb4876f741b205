import { afterAll, vi } from 'vitest';

// A second, the default, is not enough for work in the background on a busy machine.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 30_000, ...options });

// Files share a process: what one replaced is restored before the next.
afterAll(() => {
  // Before the timers: a spy on a replaced timer would put that one back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
