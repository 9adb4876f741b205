import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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
  { descriptors, until = /^Tara is ready at \S+:(\d+)$/m }: { descriptors?: number; until?: RegExp } = {},
): Promise<Started> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = [process.execPath, '--import', logSandboxModules, main, ...flags];
  const limited = ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command];
  const [file = '', ...args] = descriptors === undefined ? command : limited;
  const child = spawn(file, args, {
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', RATE_LIMITS: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  const port = await new Promise<string | null>((done, fail) => {
    child.once('error', fail);
    child.stdout.on('data', () => {
      const ready = until.exec(output.out);
      if (ready) done(ready[1] ?? null);
    });
    void ended.then(() => done(null));
  });
  const url = port === null ? null : `http://127.0.0.1:${port}`;
  return {
    url,
    output: () => ({ ...output }),
    stop: async () => {
      child.kill('SIGTERM');
      return { code: await ended };
    },
  };
}

/** A data folder of a test's own. */
export async function newDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tara-start-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
