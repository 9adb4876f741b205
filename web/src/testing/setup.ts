import { cleanup, configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import { useToasts } from '../ui/feedback.ts';

const defaults = queryClient.getDefaultOptions();
// What is loaded lazily takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 30_000 });
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 30_000, ...options });

// Files share a document and their modules: what one left is removed before the next.
afterAll(() => {
  queryClient.clear();
  useToasts.setState({ queue: [] });
  queryClient.setDefaultOptions(defaults);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Some files have no document.
  if (typeof document === 'undefined') return;
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
