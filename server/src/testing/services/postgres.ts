import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../platform/database/connect.ts';
import { findPrograms } from '../../platform/database/programs.ts';
import { findService } from './find.ts';

const program = findService('postgres');

/** Whether there is a Postgres that is older than the embedded one; tests of it are skipped without. */
export const hasOlderPostgres = program !== null;

/** A Postgres of Debian with databases of a test's own. */
export interface OlderPostgres {
  /** Address of a database, as its superuser or another user. Everyone is let in without a password. */
  url(database: string, user?: string): string;
  /** Runs statements as superuser, each by itself, in a database. */
  run(database: string, ...statements: string[]): Promise<void>;
  /** Ends it with all connections and what they do, and starts it again; resolves when it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a new, empty Postgres of Debian, in about two seconds. */
export async function startOlderPostgres(): Promise<OlderPostgres> {
  if (program === null) throw new Error('There is no Postgres of Debian.');
  const folder = await mkdtemp(join(tmpdir(), 'tara-older-'));
  const { user } = await findPrograms(folder);
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const creation = spawnSync(
    join(dirname(program), 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (creation.status !== 0) throw new Error(creation.stderr);
  const settings = [
    'fsync=off',
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'log_min_messages=fatal',
  ];
  const launch = (): ChildProcess =>
    spawn(program, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...options,
      stdio: 'ignore',
    });
  let child = launch();
  const end = () => void child.kill('SIGINT');
  process.once('exit', end);
  const shutDown = async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
  };
  const url: OlderPostgres['url'] = (database, name = 'postgres') =>
    `postgres://${name}@${encodeURIComponent(folder)}:5432/${database}`;
  const run: OlderPostgres['run'] = async (database, ...statements) => {
    const { sql, close } = connect(url(database), { size: 1 });
    try {
      for (const statement of statements) await sql.unsafe(statement);
    } finally {
      await close();
    }
  };
  const isReady = () =>
    run('postgres', 'select 1').then(
      () => true,
      () => false,
    );
  const untilReady = async () => {
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`Postgres ended with ${child.exitCode}.`);
      await delay(50);
    }
  };
  await untilReady();
  return {
    url,
    run,
    restart: async () => {
      await shutDown();
      child = launch();
      await untilReady();
    },
    stop: async () => {
      process.off('exit', end);
      await shutDown();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
