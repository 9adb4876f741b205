import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BenchDatabase } from './database.ts';

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Time limit until the server prints that it is ready. */
const startTimeoutMs = 60_000;

/** The port in the line that the server prints when it is ready. */
async function readyPort(server: ChildProcess): Promise<number> {
  if (server.stdout === null) throw new Error('The server has no output.');
  const timer = setTimeout(() => server.kill('SIGKILL'), startTimeoutMs);
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /Tara is ready at (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    clearTimeout(timer);
    return Number(new URL(address).port);
  }
  throw new Error('The server did not start.');
}

interface ServerOptions<Report> {
  rateLimits: boolean;
  /** A module that runs in the server's process, and what to do with what it sends. */
  monitor?: { module: URL; report: (report: Report) => void };
}

/**
 * Starts the server as `npm start` does, in production mode, on the workload's database. Without `rateLimits` it runs
 * in development mode, because production refuses that setting. `BENCH_PROFILE` is a folder for CPU profiles.
 */
export async function startServer<Report = never>(
  database: BenchDatabase,
  { rateLimits, monitor }: ServerOptions<Report>,
): Promise<RunningServer> {
  const profile = process.env.BENCH_PROFILE;
  const server = spawn(
    process.execPath,
    [
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
      ...(monitor === undefined ? [] : ['--import', monitor.module.href]),
      fileURLToPath(import.meta.resolve('@tara/server/main')),
      '--empty',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit', ...(monitor === undefined ? [] : (['ipc'] as const))],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: rateLimits ? 'production' : 'development',
        ALLOW_STAND_INS: '1',
        RATE_LIMITS: rateLimits ? 'on' : 'off',
        LOG_LEVEL: 'warn',
        PORT: '0',
        HOST: '127.0.0.1',
        // Callers name their address.
        TRUST_PROXY: '1',
        DATABASE_URL: database.url,
        DATA_DIR: database.dataDir,
        DOCUMENTS_KEY: randomBytes(32).toString('base64'),
      },
    },
  );
  // What comes over the pipe is what the workload's own module sent.
  if (monitor !== undefined) server.on('message', (report) => monitor.report(report as Report));
  const end = () => void server.kill('SIGKILL');
  process.once('exit', end);
  const port = await readyPort(server);
  if (server.pid === undefined) throw new Error('The server has no process.');
  const { pid } = server;
  server.stdout?.resume();
  return {
    port,
    pid,
    stop: async () => {
      process.off('exit', end);
      if (server.exitCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}
