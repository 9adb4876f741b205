import { afterAll, vi } from 'vitest';

// Files share a process: what one replaced is restored before the next.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
