import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from '@tara/contract/clock';
import postgres from 'postgres';
import { freePort } from '../free-port.ts';
import type { Log } from '../log.ts';
import { openDriver } from './address.ts';
import { type Cluster, openCluster, readCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findPrograms, type Programs } from './programs.ts';

/** The database that runs inside the product's own process tree. */
export interface EmbeddedPostgres {
  /** Connection address, with its password: never log it. */
  readonly url: string;
  /** Where its data is. */
  readonly folder: string;
  /** Shortens its log (WAL) to 64 MB and keeps it so, over restarts too, or lets it grow again to 2 GB, which is faster. */
  keepLogSmall(isSmall: boolean): Promise<void>;
  /** Stops in order within about 3 s; safe to call twice. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Absolute path; made when missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** false (tests only): a crash of the machine may lose the data. */
  readonly durable?: boolean;
  /** Further settings of Postgres. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Sized for two cores and a few GB; what a bigger machine wants belongs into a Postgres of its own (DATABASE_URL). */
const settings = {
  max_connections: 100,
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  checkpoint_timeout: '15min',
  // What the log no longer needs is removed rather than kept for later: a checkpoint then makes space at once (`keepLogSmall`).
  wal_recycle: 'off',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 0,
  // What is not in Postgres' buffers is mostly in the system's cache, which costs less than waking a worker that reads it: a
  // search over cold buffers took 8 ms of CPU rather than 8 and 5 of the workers. Disks still read ahead, by advice.
  io_method: 'sync',
  // Compiling a plan costs more than any of our queries takes.
  jit: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
  // Not the errors of statements: their details hold rows, and the caller of the statement logs what failed.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const noDurability = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
};

/** The system's limit for the path of a socket is 104 to 108 bytes. */
const fitsSocket = ({ run }: Cluster) =>
  process.platform !== 'win32' && Buffer.byteLength(join(run, '.s.PGSQL.5432')) < 100;

const clusterUrl = (cluster: Cluster, port: number) =>
  `postgres://postgres:${cluster.password}@${fitsSocket(cluster) ? encodeURIComponent(cluster.run) : '127.0.0.1'}:${port}/postgres`;

function launch(programs: Programs, cluster: Cluster, port: number, options: EmbeddedOptions): ChildProcess {
  const values = {
    ...settings,
    ...(options.durable === false ? noDurability : durability),
    ...options.settings,
    listen_addresses: fitsSocket(cluster) ? '' : '127.0.0.1',
    unix_socket_directories: fitsSocket(cluster) ? cluster.run : '',
    port,
  };
  const { file, args, user } = programs.command('postgres', [
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

/** Whether a Postgres serves the address; `busy`: it starts, stops, or has no connection left. */
async function probe(url: string): Promise<'ready' | 'busy' | 'absent'> {
  const sql = openDriver(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`select 1`;
    return 'ready';
  } catch (error) {
    // Another cluster may have got the port since: ours knows its password.
    return error instanceof postgres.PostgresError && error.code !== '28P01' ? 'busy' : 'absent';
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Address of the Postgres that runs on the cluster now; its port is the fourth line of `postmaster.pid`. */
async function findRunning(cluster: Cluster): Promise<string | undefined> {
  const pidFile = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => undefined); // Stopped in order.
  const url = pidFile && clusterUrl(cluster, Number(pidFile.split('\n')[3]));
  // Tried rather than looked up by process id: after a crash of the machine that id can belong to another program.
  return url && (await probe(url)) !== 'absent' ? url : undefined;
}

/**
 * Stops the Postgres of the cluster: first in order (open transactions are rolled back, a checkpoint is written), after
 * 3 s at once (it then recovers from its log at the next start). Nothing acknowledged is lost either way. One that ended
 * by itself meanwhile is stopped.
 */
async function stopCluster(programs: Programs, cluster: Cluster): Promise<void> {
  const stop = (mode: 'fast' | 'immediate') =>
    programs.run('pg_ctl', ['stop', '-w', '-t', '3', '-m', mode, '-D', cluster.data], cluster.home);
  try {
    await stop('fast').catch(() => stop('immediate'));
  } catch (error) {
    if (await findRunning(cluster)) throw error;
  }
}

/** Stops the Postgres that a killed process left running in a data folder. Call it only under the folder's lock. */
export async function stopAbandoned(dataDir: string, log?: Log): Promise<void> {
  const cluster = await readCluster(dataDir).catch(() => undefined); // Not readable: there is none yet.
  if (!cluster || !(await findRunning(cluster))) return;
  log?.info('stopping the database that a killed server left running');
  await stopCluster(await findPrograms(dataDir), cluster);
}

/** Waits until the started database accepts connections; its messages go to the log. */
async function ready(child: ChildProcess, url: string, log: Log): Promise<void> {
  let output = '';
  let failure: unknown;
  child.once('error', (error) => {
    failure = error;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4000);
    log.debug({ postgres: text.trim() }, 'message of the embedded Postgres');
  });
  while (isRunning(child) && failure === undefined) {
    if ((await probe(url)) === 'ready') return;
    await delay(20);
  }
  const message = `The embedded Postgres did not start (code ${child.exitCode}): ${output.trim()}`;
  throw new Error(message, { cause: failure });
}

/** ms that a Postgres of before has to end: one that was killed leaves processes for a moment. */
const formerTimeoutMs = 15_000;
/** What Postgres says while processes of the former one are there. */
const formerRuns = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

/** Starts, and tries again while the former Postgres of the folder is ending. */
async function afterFormer(start: () => Promise<ChildProcess>): Promise<ChildProcess> {
  const giveUpAt = nowMs() + formerTimeoutMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isEnding = error instanceof Error && formerRuns.test(error.message);
      if (!isEnding || nowMs() > giveUpAt) throw error;
      await delay(200);
    }
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

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
    const programs = await findPrograms(dataDir);
    const cluster = await openCluster(dataDir, programs);
    await stopAbandoned(dataDir, log);
    const port = fitsSocket(cluster) ? 5432 : await freePort();
    const url = clusterUrl(cluster, port);
    const start = async () => {
      const child = launch(programs, cluster, port, options);
      await ready(child, url, log);
      return child;
    };
    const startAfterFormer = () => afterFormer(start);
    const stop = await supervise(startAfterFormer, () => stopCluster(programs, cluster), log);
    const keepLogSmall = (isSmall: boolean) => setLogSize(url, isSmall);
    return { url, folder: cluster.home, keepLogSmall, stop: () => stop().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Sets how large the log may get, for now and the next start; a checkpoint removes what it no longer may hold. */
async function setLogSize(url: string, isSmall: boolean): Promise<void> {
  const sql = openDriver(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(`alter system set max_wal_size = '${isSmall ? '64MB' : '2GB'}'`);
    await sql`select pg_reload_conf()`;
    if (isSmall) await sql`checkpoint`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Starts, starts again whenever the process ends by itself, and returns what stops it for good. */
async function supervise(
  start: () => Promise<ChildProcess>,
  stopRunning: () => Promise<void>,
  log: Log,
): Promise<() => Promise<void>> {
  let child = await start();
  let stopping: Promise<void> | undefined;
  const interrupt = () => void child.kill('SIGINT');
  process.once('exit', interrupt);
  const restart = async () => {
    const { exitCode: code, signalCode: signal } = child;
    log.error({ code, signal }, 'the embedded Postgres ended; starting it again');
    while (!stopping && !isRunning(child)) {
      try {
        child = await start();
      } catch (error) {
        log.error({ err: error }, 'the embedded Postgres did not start');
        await delay(1000);
      }
    }
  };
  const supervision = (async () => {
    while (!stopping) {
      if (isRunning(child)) await once(child, 'exit');
      if (!stopping) await restart();
    }
  })();
  const stop = async () => {
    if (isRunning(child)) await stopRunning();
    await supervision;
    // A restart that was under way.
    if (isRunning(child)) await stopRunning();
    process.off('exit', interrupt);
  };
  return () => (stopping ??= stop());
}

/** Address of the embedded database when a server runs it now; lets a command work beside the server. */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  const cluster = await readCluster(dataDir).catch(() => undefined); // Not readable: there is none yet.
  return cluster && findRunning(cluster);
}
