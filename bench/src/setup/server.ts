import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { startServing } from '@tara/proof/process';
import type { BenchDatabase } from './database.ts';

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

interface ServerOptions<Report> {
  rateLimits: boolean;
  /** Further variables. */
  environment?: Record<string, string>;
  /** A module that runs in the server's process, and what to do with what it sends. */
  monitor?: { module: URL; report: (report: Report) => void };
}

/** The same for all servers on a database. */
const documentsKey = randomBytes(32).toString('base64');

/**
 * Starts the server as `npm start` does, in production mode, on the workload's database. Without `rateLimits` it runs
 * in development mode, because production refuses that setting. `BENCH_PROFILE` is a folder for CPU profiles.
 */
export async function startServer<Report = never>(
  database: BenchDatabase,
  { rateLimits, environment = {}, monitor }: ServerOptions<Report>,
): Promise<RunningServer> {
  const profile = process.env.BENCH_PROFILE;
  const server = await startServing(
    [
      process.execPath,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
      ...(monitor === undefined ? [] : ['--import', monitor.module.href]),
      fileURLToPath(import.meta.resolve('@tara/server/main')),
      '--empty',
    ],
    {
      ipc: monitor !== undefined,
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
        DOCUMENTS_KEY: documentsKey,
        ...environment,
      },
    },
  );
  server.child.stderr?.pipe(process.stderr);
  // What comes over the pipe is what the workload's own module sent.
  if (monitor !== undefined) server.child.on('message', (report) => monitor.report(report as Report));
  return { port: server.port, pid: server.pid, stop: async () => void (await server.stop('SIGTERM')) };
}
