/** Milliseconds in which changes are collected. */
const PAUSE_MS = 300;

/** Runs once, a moment after the first of several calls: many changes at once make one request. */
export function afterPause(work: () => void): (() => void) & { cancel: () => void } {
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const run = () => {
    waiting = null;
    work();
  };
  const schedule = () => {
    if (waiting === null) waiting = setTimeout(run, PAUSE_MS);
  };
  const cancel = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  return Object.assign(schedule, { cancel });
}
