import { setTimeout as delay } from 'node:timers/promises';
import { exitCode, onStop, runToEnd } from './run.mjs';

/** With this code the server refuses to start (`refusedExitCode` of server/src/platform/start-refused.ts). */
const refusedExitCode = 78;
/** The signals by which a person ends the server itself. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A line in the form of the server's log. */
const logError = (line) =>
  console.log(JSON.stringify({ level: 50, time: new Date().toISOString(), ...line }));

/**
 * Runs a server, and starts it again when it ended unexpectedly, after 1, 2, 4 … 30 s; after a minute of service the pauses
 * begin again at 1 s. What ends it for good: a signal to this process, which the server drains by; its own end in order;
 * and a start that it refused before one of them served. Later it has run with the same settings: a refusal then is of the
 * moment, such as a lock of the process before.
 * `cleanUp` runs at the end when the server was killed or broke off.
 * @returns its last exit code.
 */
export async function supervise(
  args,
  { env, killAfterMs, cleanUp, firstPauseMs = 1000, longestPauseMs = 30_000, steadyMs = 60_000 } = {},
) {
  const stop = new AbortController();
  const unwatch = onStop(() => stop.abort());
  const clean = async () => {
    if (cleanUp !== undefined) await runToEnd(cleanUp, { env });
  };
  try {
    let pauseMs = firstPauseMs;
    let hasServed = false;
    // Its only message.
    const onMessage = () => {
      hasServed = true;
    };
    for (;;) {
      const startedAt = Date.now();
      const { code, signal } = await runToEnd(args, { env, killAfterMs, onMessage });
      const isRefused = code === refusedExitCode && !hasServed;
      const isExpected = code === 0 || stopSignals.includes(signal) || isRefused;
      if (isExpected || stop.signal.aborted) {
        if (code !== 0 && code !== refusedExitCode) await clean();
        return exitCode({ code, signal });
      }
      if (Date.now() - startedAt > steadyMs) pauseMs = firstPauseMs;
      logError({ code, signal, pauseMs, msg: 'the server ended unexpectedly; it is started again' });
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) {
        await clean();
        return 0;
      }
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  } finally {
    unwatch();
  }
}
