import processConsole from 'node:console';
import { cleanup, configure, getConfig } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { forgetOutboxes } from '../lib/outbox-storage.ts';
import { queryClient } from '../lib/queries.ts';
import { useToasts } from '../ui/feedback.ts';

const defaults = queryClient.getDefaultOptions();
const { getElementError } = getConfig();
/** An error of a query, which prints the document only when somebody reads it: a wait throws one at each look. */
function lazyElementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  let whole: string | undefined;
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => (whole ??= getElementError(message, container).message),
  });
  return error;
}
// What is loaded lazily takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 30_000, getElementError: lazyElementError });
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 30_000, ...options });

/** What happy-dom prints of requests that are refused or cut off, as a browser's console does: the tests say which these are. */
const isRequestFailure = ([first]: readonly unknown[]) =>
  first instanceof Error
    ? 'code' in first && ['ECONNRESET', 'ECONNREFUSED'].includes(String(first.code))
    : /^[A-Z]+ http:\/\/\S+ [45]\d\d \(/.test(String(first));
// Its console is the process's own; a test's is vitest's. Requests of one file end while the next one runs.
const { error: printError } = processConsole;
function printUnexpected(...args: unknown[]): void {
  if (!isRequestFailure(args)) printError.apply(processConsole, args);
}
if (printError.name !== printUnexpected.name) processConsole.error = printUnexpected;

// Files share a document and their modules: what one left is removed before the next.
afterAll(() => {
  forgetOutboxes();
  queryClient.clear();
  useToasts.setState({ queue: [] });
  queryClient.setDefaultOptions(defaults);
  // Before the timers: a spy on a replaced timer would put that one back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Some files have no document.
  if (typeof document === 'undefined') return;
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
