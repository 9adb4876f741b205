import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProcess } from '@tara/proof/process';

const main = resolve(import.meta.dirname, '../main.ts');

/** Logs which modules of the sandbox a process loads, one a line. */
const logSandboxModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/sandbox.src/.test(url)) console.log('loaded ' + url);
      return next(url, context);
    },
  });
`)}`;

/** A server in a process of its own, started as `npm start` starts it. */
export interface Started {
  /** Where it answers; null when it ended instead. */
  readonly url: string | null;
  readonly child: ChildProcess;
  /** What it wrote to stdout, and to stderr. */
  output(): { out: string; err: string };
  /** Asks it to stop; returns its exit code. Safe to call again. */
  stop(): Promise<{ code: number | null }>;
}

/**
 * Starts a server on a free port, and waits until it is ready or has ended. Nothing of this process's environment
 * reaches it but the search path and the compile cache. `descriptors` is the most files and sockets that it may have open;
 * `until` finds in its output that it is ready, and its port.
 */
export async function startServer(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  { descriptors, until }: { descriptors?: number; until?: RegExp } = {},
): Promise<Started> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = [process.execPath, '--import', logSandboxModules, main, ...flags];
  const limited = ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command];
  const { child, port, output, stop } = await startProcess(descriptors === undefined ? command : limited, {
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', RATE_LIMITS: 'off', ...environment },
    ...(until ? { until } : {}),
  });
  const url = port === null ? null : `http://127.0.0.1:${port}`;
  return { url, child, output, stop: async () => ({ code: await stop('SIGTERM') }) };
}

/** A data folder of a test's own. */
export async function newDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tara-start-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
